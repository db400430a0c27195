import { type Html, html } from '../http/html.ts';
import type { PageState, PageView } from './render-page.ts';

/** The states whose words send the customer to the shop. */
const sendsToShop: readonly PageState[] = ['over', 'failed', 'review', 'unpayable'];

/** How to reach the shop, with the order's number where the way can carry it. Nothing where the shop says nothing. */
export function contactCard({ texts, order, claim }: PageView, state: PageState): Html | null {
  const { contact_phone: phone, contact_whatsapp: whatsapp, contact_email: email } = order;
  const about = encodeURIComponent(`${texts.order} ${order.order_id}`);
  const ways = [
    phone !== null && way(texts.contactPhone, spaced(phone), `tel:${phone}`),
    whatsapp !== null &&
      way(texts.contactWhatsapp, spaced(whatsapp), `https://wa.me/${whatsapp.slice(1)}?text=${about}`),
    email !== null &&
      way(
        texts.contactEmail,
        email,
        `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${about}`,
      ),
  ].filter(shown => shown !== false);
  if (ways.length === 0) return null;
  const always = claim === 'sent';
  return html`
<section id="contact" class="card contact" aria-labelledby="contact-shop"${always && html` data-always="yes"`}
data-states="${sendsToShop.join(' ')}"${!always && !sendsToShop.includes(state) && html` hidden`}>
<h2 id="contact-shop">${texts.contact(order.shop)}</h2>
<ul>${ways}</ul>
</section>`;
}

function way(name: string, shown: string, href: string): Html {
  return html`<li><a href="${href}" rel="noreferrer"><span>${name}</span> <bdi>${shown}</bdi></a></li>`;
}

/** An Indian number as people there write it. */
function spaced(number: string): string {
  return number.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3');
}
