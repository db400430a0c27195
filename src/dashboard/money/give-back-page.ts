import type { Bank } from '../../alerts/banks/bank.ts';
import { printsPayerId } from '../../alerts/banks/bank-support.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { vpaForm } from '../../business/merchants/read-upi-account.ts';
import { qrSvg, upiLink } from '../../orders/upi-link.ts';
import { field } from '../frame/controls.ts';
import { rupees, screen } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { money } from '../frame/rows.ts';
import { creditSum, moneyPath, noteField } from './credit-words.ts';
import type { CreditRow } from './queries/money.ts';

export const longestReference = 40;

/** Money without an order is given back in one piece: first in the shop's own app, then noted here. */
export function giveBackPage(visit: Visit, credit: CreditRow, payerId: string | null): Answer {
  const { money: words, payments, shell } = visit.texts;
  const path = `${moneyPath}/${credit.alert_id}`;
  const sum = creditSum(credit);
  const who = payments.giveBack.customer;
  const reference = field('return_reference', `${words.returnReference} (${shell.optional})`, {
    hint: words.returnReferenceHint,
    maxlength: longestReference,
  });
  return screen(payments.giveBack.title({ who: credit.payer ?? who }), {
    back: { href: path, text: words.payment({ sum }) },
  })`
<div class="stack one-column"><p class="figure">${money(credit.amount_paise ?? 0)}</p>
${payBackStep(visit, { payerId, amount: credit.amount_paise ?? 0, reference: credit.bank_reference })}
<form method="post" action="${path}/given-back" class="stack">${reference}${noteField(visit, 'give-back-note')}
<button class="button wide">${payments.giveBack.done({ sum })}</button><p class="small quiet">${payments.giveBack.doneText}</p></form></div>`;
}

type PayBack = { payerId: string | null; amount: number; reference: string | null };

/** For the owner's own app. The ID is in the name field, so that the app itself shows whose ID it is. */
export function payBackStep({ texts }: Visit, { payerId, amount, reference }: PayBack): Html {
  const { money: words, payments } = texts;
  if (payerId === null)
    return html`<div class="card filled"><p><b>${payments.giveBack.first}</b></p><p class="quiet">${payments.giveBack.noId}</p></div>`;
  const payee = { vpa: payerId, payeeName: payerId, kind: 'personal', merchantCode: null } as const;
  const link = upiLink(payee, paise(amount), `Refund ${reference ?? ''}`.trim());
  const sum = rupees(amount);
  return html`<div class="card filled pay-back"><div class="proof-qr" role="img" aria-label="${words.payBackQr({ sum, id: payerId })}">${trusted(qrSvg(link))}</div>
<p><b>${payments.giveBack.first}</b></p>
<p class="small">${words.payBack({ sum, id: payerId })} <strong>${words.payBackName}</strong></p><p class="small quiet">${words.payBackHere}</p></div>`;
}

/** Some banks print stars or a row of x for hidden digits. */
const masked = /x{4}/;

/**
 * The payer's UPI ID, if the bank's signed mail names it with certainty. Null if somebody must look for the money
 * first: a common fraud is to ask back money that never came.
 */
export function certainPayer(credit: CreditRow, banks: readonly Bank[]): string | null {
  const { payer, bank, template, amount_paise, to_look_for, told_twice } = credit;
  const wording = banks.find(({ id }) => id === bank)?.templates.find(({ id }) => id === template);
  if (payer === null || amount_paise === null || to_look_for || told_twice) return null;
  const id = payer.toLowerCase();
  return wording && printsPayerId(wording) && vpaForm.test(id) && !masked.test(id) ? id : null;
}
