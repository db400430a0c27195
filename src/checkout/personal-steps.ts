import { type Html, html } from '../http/html.ts';
import { rupeesText } from '../money.ts';
import { appItem, appOpeners } from './app-links.ts';
import type { ShownAmount } from './format-amount.ts';
import type { PageView } from './render-page.ts';

/** NPCI's circular OC 76C/2025-26: what apps may take from a QR that was opened as a picture, for who is not verified. */
const mostFromGallery = 2_000_00;

/**
 * The steps are the buttons. NPCI's rules make payer apps decline a link to a personal UPI ID on the same phone; nobody
 * else tells the customer, so we do, for whoever asks why.
 */
export function personalSteps(view: PageView, amount: ShownAmount, scan: Html): Html {
  const { order, texts, phone } = view;
  const openers = appOpeners(phone);
  return html`<ol class="steps">
<li>${copyStep(view, { id: 'vpa', label: texts.stepCopyId, plain: texts.upiId, value: order.vpa, shown: order.vpa })}</li>
<li>${copyStep(view, {
    id: 'sum',
    label: texts.stepCopyAmount(amount.text),
    plain: texts.amount,
    value: rupeesText(order.payable_paise),
    shown: amount.text,
    hint: texts.stepExactly,
  })}</li>
<li><p class="step"><b>${texts.openApp}</b><span>${texts.stepOpen(order.payee_name)}</span></p>
${openers.length > 0 && html`<ul class="openers">${openers.map(appItem)}</ul>`}</li>
</ol>
<div class="more">
<details><summary>${texts.whyNoLink}</summary><p>${texts.personalWhy}</p></details>
<details><summary>${texts.otherPhone}</summary><div class="scan">${scan}${saveQr(view)}</div></details>
</div>`;
}

type CopyStep = { id: string; label: string; plain: string; value: string; shown: string; hint?: string };

/** Without script, or where a browser does not let us copy, the text itself is there to be pressed and held. */
function copyStep({ texts }: PageView, { id, label, plain, value, shown, hint }: CopyStep): Html {
  return html`<button class="step" type="button" hidden data-copy="${value}" data-from="${id}" data-done="${texts.copied}"
data-by-hand="${texts.copyByHand}"><b>${label}</b> <span>${hint ?? html`<bdi>${shown}</bdi>`}</span></button>
<p class="step" data-plain="${id}"><span>${plain}</span> <bdi class="pick" id="${id}">${shown}</bdi></p>`;
}

/** A picture for apps that read a QR from the gallery, where they may. */
function saveQr({ order, texts, phone, paymentUrl }: PageView): Html {
  if (order.payable_paise > mostFromGallery) return html`<p class="quiet">${texts.galleryTooMuch}</p>`;
  const href = `${paymentUrl}/qr.png`;
  const name = `UPI-${order.order_id}.png`;
  // An iPhone keeps a picture that is pressed and held among its photos; a download goes where no UPI app looks.
  return html`<p><a class="go second" href="${href}"${phone === 'ios' ? html` target="_blank"` : html` download="${name}"`}>${texts.saveQr}</a></p>
<p class="quiet">${texts.gallery}</p>`;
}
