import { type Html, html } from '../../base/http/html.ts';
import type { Contact } from '../../business/accounts/queries/businesses.ts';
import type { PageTexts } from './page-frame.ts';

/** How to reach the shop, with what it is about where the way can carry it; null where the shop says nothing. */
export function contactWays(texts: PageTexts, contact: Contact, subject: string): Html | null {
  const { contact_phone: phone, contact_whatsapp: whatsapp, contact_email: email } = contact;
  const about = encodeURIComponent(subject);
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
  return ways.length === 0 ? null : html`<ul>${ways}</ul>`;
}

function way(name: string, shown: string, href: string): Html {
  return html`<li><a href="${href}" rel="noreferrer"><span>${name}</span> <bdi>${shown}</bdi></a></li>`;
}

/** An Indian number as people there write it. */
function spaced(number: string): string {
  return number.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3');
}
