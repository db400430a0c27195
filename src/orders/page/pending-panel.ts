import { minute } from '../../base/durations.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { rupeesText } from '../../base/money.ts';
import { payableTime } from '../../base/time-windows.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { appItem, appLinks, appOpeners, browserLink } from './app-links.ts';
import { addedTo, type ShownAmount } from './format-amount.ts';
import type { PageState, PageView } from './page-frame.ts';
import { shopName } from './shop-brand.ts';

/** While the order can be paid: what, until when, and how. */
export function pendingPanel(view: PageView, amount: ShownAmount, link: string, qr: string | null): Html {
  const { order, texts, phone } = view;
  const byHand = phone !== null && order.account_kind === 'personal';
  const why = order.account_kind === 'personal' ? `${texts.fromBank} ${texts.whyPaise}` : texts.whyPaise;
  const scan = scanPart(view, amount, qr);
  return html`
<section id="pending" class="card pending${phone === null && ' desk'}${byHand && ' by-hand'}" aria-labelledby="shop">
<header class="sum">
${shopName(order, texts.paying)}
${order.purpose && html`<p class="what"><bdi>${order.purpose}</bdi></p>`}
<p class="amount${amount.text.length > 9 && ' long'}"><span aria-hidden="true"><span class="sign">₹</span>${amount.rupees}<b>.${amount.paise}</b></span>
<span class="unseen">${insertFacts(texts.amountSpoken, amount)}</span></p>
<p class="${byHand ? 'unseen' : 'exact'}">${insertFacts(texts.payExactly, { amount: amount.text })}</p>
<p class="quiet">${insertFacts(texts.added, addedTo(order))}${!byHand && ` ${why}`}</p>
${clock(view)}
${!byHand && waits(view)}
</header>
${view.insideApp && wayOut(view)}
${
  byHand
    ? personalSteps(view, amount, scan)
    : html`${phone !== null && html`${appButtons(view, link, phone)}${referenceForm(view, 'pending')}`}
<div class="scan"><h2>${phone === null ? texts.scan : texts.scanOther}</h2>${scan}</div>`
}
${byHand && html`${referenceForm(view, 'pending')}<div>${waits(view)}</div>`}
${details(view, amount, byHand)}
${byHand && html`<p class="quiet">${why}</p>`}
</section>`;
}

/** The time left and, once the customer is back from their app, that we are looking for the payment. */
function clock({ order, texts, now, blind }: PageView): Html {
  const left = order.expires_at.getTime() - now.getTime();
  return html`<div class="clock"><span>${texts.timeLeft}</span>
<progress id="bar" max="${payableTime}" value="${Math.max(0, left)}" aria-hidden="true"></progress>
<span id="left" role="timer">${minutesAndSeconds(left)}</span></div>
<p class="waiting looking" id="looking" hidden><i aria-hidden="true"></i><span><b>${texts.lookingHeading}</b> ${blind ? texts.lookingBlind : texts.lookingText}</span></p>`;
}

function waits({ texts }: PageView): Html {
  return html`<p class="waiting" id="waiting"><i aria-hidden="true"></i><span>${texts.waiting}</span></p>
<noscript><p class="quiet">${texts.waitingNoScript}</p></noscript>`;
}

/** A way out of the app that shows the page, because links to UPI apps may not open from there. */
function wayOut({ order, texts, paymentUrl, phone }: PageView): Html | null {
  if (phone === null || (phone === 'android' && order.account_kind === 'personal')) return null;
  const url = `${paymentUrl}?lang=${texts.tag}`;
  return html`<div class="note way-out"><p>${texts.insideApp}</p>
${phone === 'android' && html`<p><a class="go" href="${browserLink(url)}">${texts.openBrowser}</a></p>`}
<button type="button" hidden data-copy="${url}" data-from="here" data-done="${texts.copied}" data-by-hand="${texts.copyByHand}">${texts.copyAddress}</button>
<p data-plain="here"><bdi class="pick" id="here">${url}</bdi></p></div>`;
}

function scanPart({ texts }: PageView, amount: ShownAmount, qr: string | null): Html {
  return qr === null
    ? html`<p class="note">${texts.noQr}</p>`
    : html`<div class="qr" role="img" aria-label="${insertFacts(texts.qrLabel, { amount: amount.text })}">${trusted(qr)}</div>`;
}

/**
 * Only an account that its bank verified as a merchant's may be paid by a link on the same phone. Android asks which
 * app to use. iOS would open any of them, so there the customer chooses.
 */
function appButtons({ texts, paymentUrl, appMissing }: PageView, link: string, phone: 'android' | 'ios') {
  const fallback = `${paymentUrl}?lang=${texts.tag}&app=missing`;
  return html`<div class="apps">
<h2>${texts.openApp}</h2>
${appMissing && html`<p class="note" role="status">${texts.appMissing}</p>`}
${phone === 'android' && html`<p><a class="go" href="${link}">${texts.anyApp}</a></p>`}
<ul>${appLinks(link, phone, fallback).map(appItem)}</ul>
</div>`;
}

/** NPCI's circular OC 76C/2025-26: the most that apps may pay by a QR opened as a picture to an unverified account. */
const mostFromGallery = 2_000_00;

/**
 * The steps are the buttons. NPCI's rules make payer apps decline a link to a personal UPI ID on the same phone.
 * Nobody else explains this to the customer, so we do.
 */
function personalSteps(view: PageView, amount: ShownAmount, scan: Html): Html {
  const { order, texts, phone } = view;
  const openers = appOpeners(phone);
  return html`<ol class="steps">
<li>${copyStep(view, { id: 'vpa', label: texts.stepCopyId, plain: texts.upiId, value: order.vpa, shown: order.vpa })}</li>
<li>${copyStep(view, {
    id: 'sum',
    label: insertFacts(texts.stepCopyAmount, { amount: amount.text }),
    plain: texts.amount,
    value: rupeesText(order.payable_paise),
    shown: amount.text,
    hint: texts.stepExactly,
  })}</li>
<li><p class="step"><b>${texts.openApp}</b><span>${insertFacts(texts.stepOpen, { name: order.payee_name })}</span></p>
${openers.length > 0 && html`<ul class="openers">${openers.map(appItem)}</ul>`}</li>
</ol>
<div class="more">
<details><summary>${texts.whyNoLink}</summary><p>${texts.personalWhy}</p></details>
<details><summary>${texts.otherPhone}</summary><div class="scan">${scan}${saveQr(view)}</div></details>
</div>`;
}

type CopyStep = { id: string; label: string; plain: string; value: string; shown: string; hint?: string };

/** If a browser cannot copy, or runs no script, the customer can press and hold the text itself. */
function copyStep({ texts }: PageView, { id, label, plain, value, shown, hint }: CopyStep): Html {
  return html`<button class="step" type="button" hidden data-copy="${value}" data-from="${id}" data-done="${texts.copied}"
data-by-hand="${texts.copyByHand}"><b>${label}</b> <span>${hint ?? html`<bdi>${shown}</bdi>`}</span></button>
<p class="step" data-plain="${id}"><span>${plain}</span> <bdi class="pick" id="${id}">${shown}</bdi></p>`;
}

/** A picture for apps that may read a QR from the gallery. */
function saveQr({ order, texts, phone, paymentUrl }: PageView): Html {
  if (order.payable_paise > mostFromGallery) return html`<p class="quiet">${texts.galleryTooMuch}</p>`;
  const href = `${paymentUrl}/qr.png`;
  const name = `UPI-${order.order_id}.png`;
  // An iPhone saves a picture that is pressed and held to its photos. UPI apps do not find a download.
  return html`<p><a class="go second" href="${href}"${phone === 'ios' ? html` target="_blank"` : html` download="${name}"`}>${texts.saveQr}</a></p>
<p class="quiet">${texts.gallery}</p>`;
}

/** Facts that the steps do not show already. */
function details({ order, texts }: PageView, amount: ShownAmount, byHand: boolean): Html {
  return html`<dl class="facts">
${
  !byHand &&
  html`<div><dt>${texts.upiId}</dt><dd><bdi id="vpa">${order.vpa}</bdi></dd>${copyButton(texts, 'vpa', order.vpa, texts.copyUpiId)}</div>
<div><dt>${texts.amount}</dt><dd id="sum">${amount.text}</dd>${copyButton(texts, 'sum', rupeesText(order.payable_paise), texts.copyAmount)}</div>`
}
<div><dt>${texts.nameShown}</dt><dd><bdi>${order.payee_name}</bdi></dd></div>
<div><dt>${texts.order}</dt><dd>${order.order_id}</dd></div>
</dl>`;
}

/** Hidden until the script can copy. Without script the customer selects the text. */
function copyButton(texts: PageView['texts'], from: string, value: string, label: string): Html {
  return html`<dd class="do"><button type="button" hidden data-copy="${value}" data-from="${from}" data-done="${texts.copied}"
data-by-hand="${texts.copyByHand}" aria-label="${label}">${texts.copy}</button></dd>`;
}

function minutesAndSeconds(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Most payments are confirmed within half a minute. After that the customer may report that theirs is not. */
const claimAfter = 0.5 * minute;
/** The form is offered once this much time or less is left to pay. */
export const formFrom = payableTime - claimAfter;

/** The states in which somebody may have paid without our knowledge. */
export function offersReferenceForm(state: PageState): boolean {
  return state === 'pending' || state === 'expired' || state === 'late' || state === 'over';
}

/**
 * "I have paid": takes the reference that the customer's app shows. A link opens the form, without script too, because
 * a page that reloads every few seconds would clear their text. Once no payment is awaited, the form is open at once.
 * While the order can be paid, its place is reserved from the start, so that nothing moves under a finger.
 */
export function referenceForm(view: PageView, state: PageState): Html {
  const { texts, claim, order, now } = view;
  const isEarly =
    state === 'pending' && claim === null && order.expires_at.getTime() - now.getTime() > formFrom;
  const sent = claim === 'sent';
  const isOpen = !sent && (claim !== null || state === 'over');
  const unclear = claim !== null && typeof claim === 'object' && claim.unclear;
  const query = `?lang=${texts.tag}&claim=open`;
  return html`
<section id="claim" class="card claim${isEarly && ' early'}"${!offersReferenceForm(state) && html` hidden`}>
${sent && html`<p class="note" role="status">${texts.claimSent}</p>`}
<p id="offer"${isOpen && html` hidden`}><a class="go second" href="?lang=${texts.tag}&amp;claim=open#claim" data-claims>${sent ? texts.claimAgain : html`${texts.havePaid} <small>${texts.claimAlso}</small>`}</a></p>
<form method="post" action="${query}"${!isOpen && html` hidden`}>
<h2>${texts.claimHeading}</h2>
<label for="reference">${texts.claimLabel}</label>
<p class="quiet" id="hint">${texts.claimAlso} ${texts.claimHint}</p>
${unclear !== false && html`<p class="problem" id="unclear" role="alert">${texts.claimUnclear}</p>`}
<textarea id="reference" name="reference" rows="2" required autocomplete="off" spellcheck="false" inputmode="numeric"
aria-describedby="hint${unclear !== false && ' unclear'}"${unclear !== false && html` aria-invalid="true" autofocus`}>${unclear}</textarea>
<button>${texts.claimSend}</button>
</form>
</section>`;
}
