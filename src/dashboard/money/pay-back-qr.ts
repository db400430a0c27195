import type { Bank } from '../../alerts/banks/bank.ts';
import { printsPayerId } from '../../alerts/banks/bank-support.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { vpaForm } from '../../business/merchants/read-upi-account.ts';
import { qrSvg, upiLink } from '../../orders/upi-link.ts';
import type { Texts } from '../../texts/languages.ts';
import { creditSum } from './credit-words.ts';
import type { CreditRow } from './queries/money.ts';

/** Some banks print stars or a row of x for what they hide. */
const masked = /x{4}/;

/**
 * The payer's UPI ID, where the bank's signed mail surely names it. Never where somebody has to look for the money
 * first: to pay back what never came is the oldest trick.
 */
export function payerId(credit: CreditRow, banks: readonly Bank[]): string | null {
  const { payer, bank, template, amount_paise, to_look_for, told_twice } = credit;
  const wording = banks.find(({ id }) => id === bank)?.templates.find(({ id }) => id === template);
  if (payer === null || amount_paise === null || to_look_for || told_twice) return null;
  const id = payer.toLowerCase();
  return wording && printsPayerId(wording) && vpaForm.test(id) && !masked.test(id) ? id : null;
}

/** For the owner's own app. The ID stands where a name would: whose it is, the app says, and not the one who paid. */
export function payBackQr({ money }: Texts, credit: CreditRow, id: string): Html {
  const payee = { vpa: id, payeeName: id, kind: 'personal', merchantCode: null } as const;
  const about = `Refund ${credit.bank_reference ?? ''}`.trim();
  const link = upiLink(payee, paise(credit.amount_paise ?? 0), about);
  const sum = creditSum(credit);
  return html`<p>${money.payBack({ sum, id })} <strong>${money.payBackName}</strong></p>
<div class="proof-qr" role="img" aria-label="${money.payBackQr({ sum, id })}">${trusted(qrSvg(link))}</div>
<p class="quiet">${money.payBackHere}</p>`;
}
