import { type Html, html } from '../../base/http/html.ts';
import { rupeesText } from '../../base/money.ts';
import { lateWindow } from '../../base/time-windows.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { sayTime } from '../../texts/say-time.ts';
import { linkOf, noAddress, returnUrl } from '../order.ts';
import { qrSvg } from '../upi-link.ts';
import { addedTo, formatAmount, type ShownAmount } from './format-amount.ts';
import { contactWays, frame, type PageState, type PageView } from './page-frame.ts';
import { formFrom, offersReferenceForm, pendingPanel, referenceForm } from './pending-panel.ts';
import type { PageOrder } from './queries.ts';

/** §1: the hosted payment page. It works without script. The script adds countdown, polling and copying. */
export function renderPage(view: PageView): Html {
  const { order, now, texts, stays } = view;
  const amount = formatAmount(order.payable_paise);
  const left = order.expires_at.getTime() - now.getTime();
  const state = stateOf(order, left, stays);
  const link = linkOf(order);
  const target = returnUrl(order);
  const asked = insertFacts(texts.title, { amount: amount.text, shop: order.shop });
  const body = html`
<main id="pay" data-state="${state}" data-left="${left}" data-late="${lateWindow}" data-return="${target}"
${!order.confirmable && html` data-unpayable="yes"`}
  data-claim-from="${formFrom}"${stays && html` data-stays="yes"`}${view.claim === 'sent' && html` data-claim="sent"`}
  data-say1="${texts.oneMinuteLeft}" data-say2="${texts.twoMinutesLeft}">
<p class="note offline" id="offline" role="status" hidden>${texts.offline}</p>
${view.blind && order.confirmable && (state === 'pending' || state === 'late') && html`<p class="note" role="status">${texts.blind}</p>`}
${state === 'pending' && pendingPanel(view, amount, link, drawQr(link))}
${outcomePanels(view, amount, state, target)}
${(state !== 'pending' || view.phone === null) && referenceForm(view, state)}
${contactCard(view, state)}
<p class="unseen" id="say" role="status"></p>
${view.extra}
</main>`;
  return frame({
    texts,
    files: view.files,
    title: state === 'pending' ? asked : texts[`${state}Heading`],
    body,
    notice: `/pay/${order.pay_token}/privacy`,
    refresh: refreshOf(state, view, target),
    report: `/pay/${order.pay_token}/report?lang=${texts.tag}`,
    script: true,
    shop: {
      brand: order,
      title: state === 'pending' ? asked : insertFacts(texts.sharedTitle, { shop: order.shop }),
      about: order.purpose ?? texts.safety,
      baseUrl: new URL(view.paymentUrl).origin,
    },
  });
}

/** The states of §3 as the customer sees them. `left` is the time until the expiry, negative after it. */
function stateOf({ status, confirmable }: PageOrder, left: number, stays: boolean): PageState {
  if (status === 'pending' && !confirmable) return 'unpayable';
  if (status === 'manual_review') return 'review';
  if (status !== 'expired') return status;
  if (left <= -lateWindow) return 'over';
  if (!stays) return 'expired';
  // No payment is awaited any more, so the page must not promise one.
  return confirmable ? 'late' : 'over';
}

const sendsToShop: readonly PageState[] = ['over', 'failed', 'review', 'unpayable'];

/** How to reach the shop, with the order's number if possible. Null if the shop gives no contact. */
function contactCard({ texts, order, claim }: PageView, state: PageState): Html | null {
  const ways = contactWays(texts, order, `${texts.order} ${order.order_id}`);
  if (ways === null) return null;
  const always = claim === 'sent';
  return html`
<section id="contact" class="card contact" aria-labelledby="contact-shop"${always && html` data-always="yes"`}
data-states="${sendsToShop.join(' ')}"${!always && !sendsToShop.includes(state) && html` hidden`}>
<h2 id="contact-shop">${insertFacts(texts.contact, { shop: order.shop })}</h2>
${ways}
</section>`;
}

const reloadSeconds = 5;
const returnSeconds = 15;

/**
 * For browsers without script: reload while something can change, else go back to the shop. A customer who is typing
 * keeps everything but the QR of an expired order.
 */
function refreshOf(state: PageState, view: PageView, target: string | null): string | null {
  const { claim, order, now, texts, stays } = view;
  if (claim !== null && offersReferenceForm(state)) {
    // An address with a fragment does not reload by itself, so the address is named.
    const here = `url=?lang=${texts.tag}&claim=${claim === 'sent' ? 'sent' : 'open'}`;
    if (claim === 'sent') return `${reloadSeconds};${here}`;
    const left = Math.ceil((order.expires_at.getTime() - now.getTime()) / 1000);
    return state === 'pending' ? `${left};${here}` : null;
  }
  if (state === 'pending' || state === 'late' || state === 'review' || state === 'unpayable')
    return String(reloadSeconds);
  if (state === 'over' || target === null || stays) return null;
  return `${state === 'paid' ? reloadSeconds : returnSeconds};url=${target}`;
}

/** Without a QR, the UPI ID and the links remain. */
function drawQr(link: string): string | null {
  try {
    return qrSvg(link);
  } catch {
    return null;
  }
}

/** `icon` is the path of the sign in the circle. `received` is the text with the received sum, once there is one. */
type Outcome = {
  state: Exclude<PageState, 'pending'>;
  icon: string;
  text: string;
  received?: (sum: string) => string;
  more?: Html | false;
};

const tick = 'M15 24.5l6.5 6.5L34 18';
const clock = 'M24 13v11l7 5';
const exclamation = 'M24 13v14M24 34v.5';

/** The page contains every outcome and hides all but the present one. The script shows the next without the server. */
function outcomePanels(view: PageView, amount: ShownAmount, state: PageState, target: string | null) {
  const { texts, order } = view;
  const outcomes: Outcome[] = [
    {
      state: 'paid',
      icon: tick,
      text: insertFacts(texts.paidText, { amount: amount.text, shop: order.shop }),
      received: amount => insertFacts(texts.paidText, { amount, shop: order.shop }),
      more: html`${receipt(view)}${leaving(view, order.success_url)}`,
    },
    {
      state: 'expired',
      icon: clock,
      text: order.failure_url === noAddress && !order.link_token ? texts.expiredHere : texts.expiredText,
      more: html`${leaving(view, order.failure_url)}${order.confirmable && stayLink(view)}${payAgain(view, order.confirmable)}`,
    },
    {
      state: 'late',
      icon: clock,
      text: texts.lateText,
      more:
        order.failure_url !== noAddress &&
        html`<p class="quiet" id="returns-later" hidden>${texts.returnsLater}</p>`,
    },
    {
      state: 'over',
      icon: exclamation,
      text: texts.over,
      more: html`${leaving(view, order.failure_url, true)}${payAgain(view, true)}`,
    },
    {
      state: 'failed',
      icon: exclamation,
      text: texts.failedText,
      received: received => insertFacts(texts.failedReceived, { received }),
      more: leaving(view, order.failure_url),
    },
    {
      state: 'review',
      icon: clock,
      text: texts.review,
      received: received => insertFacts(texts.reviewReceived, { received, amount: amount.text }),
    },
    { state: 'unpayable', icon: exclamation, text: texts.unpayable },
  ];
  return html`${outcomes.map(outcome => panel(outcome, view, state, target))}`;
}

function panel(
  { state, icon, text, received, more }: Outcome,
  view: PageView,
  present: PageState,
  target: string | null,
) {
  const { texts, order } = view;
  // A customer who has paid must not be led away from their payment.
  const second = offersReferenceForm(state);
  const sum = order.received_paise === null ? null : formatAmount(order.received_paise).text;
  return html`
<section id="${state}" class="card outcome ${state}"${state !== present && html` hidden`}>
${state !== 'paid' && html`<p class="whose"><bdi>${order.shop}</bdi> <b>${formatAmount(order.payable_paise).text}</b></p>`}
<svg class="mark" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="${icon}"/></svg>
<h1 tabindex="-1">${texts[`${state}Heading`]}</h1>
<p${received && html` data-received="${received('{}')}"`}>${received && sum !== null ? received(sum) : text}</p>
${more}
${order.success_url !== noAddress && state !== 'review' && state !== 'unpayable' && html`<p><a class="go${second && ' second'}" data-go href="${target ?? view.paymentUrl}">${texts.backToShop}</a></p>`}
${state !== 'paid' && html`<p class="quiet">${texts.order} ${order.order_id}</p>`}
</section>`;
}

/**
 * The customer's receipt. A page that was open during the payment has none of its facts. Its script fetches this part
 * from the server again, so that it always has the server's words. The script adds the buttons.
 */
function receipt({ order, texts, stays }: PageView): Html {
  if (order.status !== 'paid') return html`<div id="receipt"></div>`;
  const amount = formatAmount(order.received_paise ?? order.payable_paise).text;
  const rows: [string, string | null, string?][] = [
    [texts.paidTo, order.shop],
    [texts.paidFor, order.purpose],
    [texts.amount, amount],
    [texts.givenBack, order.given_back_paise && formatAmount(order.given_back_paise).text],
    [texts.paidAt, order.paid_at && sayTime(texts.tag, order.paid_at)],
    [texts.bankReference, order.bank_reference],
    [texts.order, order.order_id],
  ];
  const given = rows.filter(([, value]) => value !== null && value !== '');
  const shared = [texts.receiptTitle, ...given.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return html`<div id="receipt"><dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
${amount === formatAmount(order.payable_paise).text && html`<p class="quiet">${insertFacts(texts.added, addedTo(order))}</p>`}
<p class="keep"><button type="button" hidden data-print>${texts.receiptPrint}</button>
<button type="button" hidden data-share="${shared}">${texts.receiptShare}</button></p>
${!stays && html`<noscript><p><a href="?lang=${texts.tag}&amp;stay=1">${texts.receiptKeep}</a></p></noscript>`}</div>`;
}

/**
 * The page goes back to the shop by itself. The script adds, and ensures, that a touch keeps it here. After the late
 * window (`later`) only the script goes back, because only it knows that the customer opened a UPI app here.
 */
function leaving({ texts, stays, order: { status } }: PageView, target: string, later = false): Html | false {
  return (
    target !== noAddress &&
    !(stays && (status === 'paid' || status === 'failed')) &&
    html`<p class="quiet" data-leaving${later && html` hidden`}>${texts.returning} <span hidden>${texts.touchToStay}</span></p>`
  );
}

/** Offers a new order of the same sum through the permanent link. It comes second if the customer may have paid. */
function payAgain({ texts, order }: PageView, isSecond: boolean): Html | false {
  const { link_token: token, amount_paise } = order;
  return (
    token !== null &&
    html`<form method="post" action="/l/${token}?lang=${texts.tag}"><input type="hidden" name="amount" value="${rupeesText(amount_paise)}"><button class="go${isSecond && ' second'}">${texts.payAgain}</button></form>`
  );
}

/** A real link, so that it works without script too. */
function stayLink({ texts }: PageView): Html {
  return html`<p><a class="go" id="stay" href="?lang=${texts.tag}&amp;stay=1">${texts.stay}</a></p>`;
}
