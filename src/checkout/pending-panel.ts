import { type Html, html, trusted } from '../http/html.ts';
import { rupeesText } from '../money.ts';
import { payableTime } from '../time-windows.ts';
import { appLinks } from './app-links.ts';
import type { ShownAmount } from './format-amount.ts';
import type { PageView } from './render-page.ts';

/** While the order can be paid: what, until when, and how. */
export function pendingPanel(view: PageView, amount: ShownAmount, link: string, qr: string | null): Html {
  const { order, texts, phone } = view;
  const personal = order.account_kind === 'personal';
  const left = order.expires_at.getTime() - view.now.getTime();
  return html`
<section id="pending" class="card pending${phone === null ? ' desk' : ''}" aria-labelledby="shop">
<header class="sum">
<p class="quiet">${texts.paying}</p>
<h1 id="shop"><bdi>${order.shop}</bdi></h1>
${order.purpose && html`<p><bdi>${order.purpose}</bdi></p>`}
<p class="amount"><span aria-hidden="true"><span class="sign">₹</span>${amount.rupees}<b>.${amount.paise}</b></span>
<span class="unseen">${texts.amountSpoken(amount.rupees, amount.paise)}</span></p>
<p class="exact">${texts.payExactly(amount.text)}</p>
<p class="quiet">${texts.whyPaise}</p>
<div class="clock"><p><span>${texts.timeLeft}</span> <span id="left" role="timer">${minutesAndSeconds(left)}</span></p>
<progress id="bar" max="${payableTime}" value="${Math.max(0, left)}" aria-hidden="true"></progress></div>
<p class="waiting"><i aria-hidden="true"></i><span>${texts.waiting}</span></p>
<noscript><p class="quiet">${texts.waitingNoScript}</p></noscript>
</header>
${phone !== null && (personal ? personalSteps(view, amount) : appButtons(view, link, phone))}
${personal && details(view, amount)}
<div class="scan">
<h2>${phone === null ? texts.scan : texts.scanOther}</h2>
${
  qr === null
    ? html`<p class="note">${texts.noQr}</p>`
    : html`<div class="qr" role="img" aria-label="${texts.qrLabel(amount.text)}">${trusted(qr)}</div>`
}
</div>
${!personal && details(view, amount)}
</section>`;
}

/** Only an account that its bank verified as a merchant's may be paid by a link on the same phone. */
function appButtons(
  { texts, paymentUrl, appMissing }: PageView,
  link: string,
  phone: 'android' | 'ios',
): Html {
  const fallback = `${paymentUrl}?lang=${texts.tag}&app=missing`;
  return html`<div class="apps">
<h2>${texts.openApp}</h2>
${appMissing && html`<p class="note" role="status">${texts.appMissing}</p>`}
<ul>${appLinks(link, phone, fallback).map(app => html`<li><a class="app" href="${app.href}">${app.name}</a></li>`)}
<li><a class="app" href="${link}">${texts.otherApp}</a></li></ul>
</div>`;
}

/** NPCI's rules make payer apps decline such a link; nobody else tells the customer, so we do. */
function personalSteps({ texts }: PageView, amount: ShownAmount): Html {
  return html`<div class="steps">
<p>${texts.personalWhy}</p>
<ol>${texts.personalSteps(amount.text).map(step => html`<li>${step}</li>`)}</ol>
</div>`;
}

function details({ order, texts }: PageView, amount: ShownAmount): Html {
  return html`<dl class="facts">
<div><dt>${texts.upiId}</dt><dd><bdi id="vpa">${order.vpa}</bdi></dd>${copyButton(texts, 'vpa', order.vpa, texts.copyUpiId)}</div>
<div><dt>${texts.amount}</dt><dd id="sum">${amount.text}</dd>${copyButton(texts, 'sum', rupeesText(order.payable_paise), texts.copyAmount)}</div>
<div><dt>${texts.nameShown}</dt><dd><bdi>${order.payee_name}</bdi></dd></div>
<div><dt>${texts.order}</dt><dd>${order.order_id}</dd></div>
</dl>`;
}

/** Hidden until the script can copy; without it the text is there to be selected. */
function copyButton(texts: PageView['texts'], from: string, value: string, label: string): Html {
  return html`<dd class="do"><button type="button" hidden data-copy="${value}" data-from="${from}" data-done="${texts.copied}"
data-by-hand="${texts.copyByHand}" aria-label="${label}">${texts.copy}</button></dd>`;
}

function minutesAndSeconds(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
