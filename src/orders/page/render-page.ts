import { type Html, html } from '../../base/http/html.ts';
import { lateWindow } from '../../base/time-windows.ts';
import { put } from '../../texts/put.ts';
import { linkOf } from '../present-order.ts';
import { qrSvg } from '../qr-code.ts';
import { returnUrl } from '../return-url.ts';
import { contactWays } from './contact-ways.ts';
import { formatAmount } from './format-amount.ts';
import { outcomePanels } from './outcome-panels.ts';
import { frame } from './page-frame.ts';
import type { PageState, PageView } from './page-view.ts';
import { claimForm, claimFrom, offersClaim, pendingPanel } from './pending-panel.ts';
import type { PageOrder } from './queries.ts';

/** §1: the hosted payment page. Complete without script; the script adds countdown, polling and copying. */
export function renderPage(view: PageView): Html {
  const { order, now, texts, stays } = view;
  const amount = formatAmount(order.payable_paise);
  const left = order.expires_at.getTime() - now.getTime();
  const state = stateOf(order, left, stays);
  const link = linkOf(order);
  const target = returnUrl(order);
  const body = html`
<main id="pay" data-state="${state}" data-left="${left}" data-late="${lateWindow}" data-return="${target}"
${!order.confirmable && html` data-unpayable="yes"`}
  data-claim-from="${claimFrom}"${stays && html` data-stays="yes"`}${view.claim === 'sent' && html` data-claim="sent"`}
  data-say1="${texts.oneMinuteLeft}" data-say2="${texts.twoMinutesLeft}">
<p class="note offline" id="offline" role="status" hidden>${texts.offline}</p>
${view.blind && order.confirmable && (state === 'pending' || state === 'late') && html`<p class="note" role="status">${texts.blind}</p>`}
${state === 'pending' && pendingPanel(view, amount, link, drawQr(link))}
${outcomePanels(view, amount, state, target)}
${claimForm(view, state)}
${contactCard(view, state)}
<p class="unseen" id="say" role="status"></p>
${view.extra}
</main>`;
  return frame({
    texts,
    files: view.files,
    title: state === 'pending' ? put(texts.title, amount.text, order.shop) : texts[`${state}Heading`],
    body,
    notice: `/pay/${order.pay_token}/privacy`,
    refresh: refreshOf(state, view, target),
    report: `/pay/${order.pay_token}/report?lang=${texts.tag}`,
    script: true,
    shop: {
      look: order,
      title:
        state === 'pending' ? put(texts.title, amount.text, order.shop) : put(texts.sharedTitle, order.shop),
      about: order.purpose ?? texts.safety,
      baseUrl: new URL(view.paymentUrl).origin,
    },
  });
}

/** The states of §3 as the customer meets them; `left` is the time until the expiry, negative after it. */
function stateOf({ status, confirmable }: PageOrder, left: number, stays: boolean): PageState {
  if (status === 'pending' && !confirmable) return 'unpayable';
  if (status === 'manual_review') return 'review';
  if (status !== 'expired') return status;
  if (left <= -lateWindow) return 'over';
  if (!stays) return 'expired';
  // Nobody looks for a payment any more, and the page must not say so.
  return confirmable ? 'late' : 'over';
}

/** The states whose words send the customer to the shop. */
const sendsToShop: readonly PageState[] = ['over', 'failed', 'review', 'unpayable'];

/** How to reach the shop, with the order's number where the way can carry it. Nothing where the shop says nothing. */
function contactCard({ texts, order, claim }: PageView, state: PageState): Html | null {
  const ways = contactWays(texts, order, `${texts.order} ${order.order_id}`);
  if (ways === null) return null;
  const always = claim === 'sent';
  return html`
<section id="contact" class="card contact" aria-labelledby="contact-shop"${always && html` data-always="yes"`}
data-states="${sendsToShop.join(' ')}"${!always && !sendsToShop.includes(state) && html` hidden`}>
<h2 id="contact-shop">${put(texts.contact, order.shop)}</h2>
${ways}
</section>`;
}

const lookAgainSeconds = 5;
const returnSeconds = 15;

/**
 * For browsers without script: look again while something can change, else go back to the shop. Nothing is taken away
 * from whoever is typing, but the QR of an order that has expired.
 */
function refreshOf(state: PageState, view: PageView, target: string | null): string | null {
  const { claim, order, now, texts, stays } = view;
  if (claim !== null && offersClaim(state)) {
    // Named, because an address with a fragment is not asked for again by itself.
    const here = `url=?lang=${texts.tag}&claim=${claim === 'sent' ? 'sent' : 'open'}`;
    if (claim === 'sent') return `${lookAgainSeconds};${here}`;
    const left = Math.ceil((order.expires_at.getTime() - now.getTime()) / 1000);
    return state === 'pending' ? `${left};${here}` : null;
  }
  if (state === 'pending' || state === 'late' || state === 'review' || state === 'unpayable')
    return String(lookAgainSeconds);
  if (state === 'over' || target === null || stays) return null;
  return `${state === 'paid' ? lookAgainSeconds : returnSeconds};url=${target}`;
}

/** A QR that cannot be drawn leaves the UPI ID and the links. */
function drawQr(link: string): string | null {
  try {
    return qrSvg(link);
  } catch {
    return null;
  }
}
