import type { Bank } from './bank.ts';
import { payingTemplates } from './bank-support.ts';
import { hasSlot } from './has-slot.ts';

const usualDigits = 4;
/** With so few, one account in a hundred looks like the shop's own. */
const fewDigits = 2;

/** How many trailing digits of an account this bank's alerts print; 0 where they name none. */
export function printedDigits(bank: Bank): number {
  return bank.accountDigits ?? (payingTemplates(bank).some(prints) ? usualDigits : 0);
}

/** Whether the digits of its alerts hardly tell one account from another: an address nobody knows is what is left. */
export function printsFewDigits(bank: Bank): boolean {
  return payingTemplates(bank).length > 0 && printedDigits(bank) <= fewDigits;
}

function prints(template: Bank['templates'][number]): boolean {
  return hasSlot(template, 'account');
}
