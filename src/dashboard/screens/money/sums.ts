import { type Html, html } from '../../../http/html.ts';
import type { Order } from '../../../orders/order.ts';
import type { CreditRow } from '../../queries/money.ts';
import type { Visit } from '../../route.ts';
import { rupees } from '../rupees.ts';
import { creditSum } from './credit-words.ts';

/** What was asked for and what came, side by side: nobody accepts a sum that they have not seen. */
export function sums({ texts }: Visit, order: Order, credit: CreditRow): Html {
  const words = texts.money;
  const more = (credit.amount_paise ?? 0) - order.payable_paise;
  const difference =
    more === 0 ? words.none : more > 0 ? words.tooMuch(rupees(more)) : words.tooLittle(rupees(-more));
  const sum = (name: string, value: string) =>
    html`<div><dt class="quiet">${name}</dt><dd class="figure">${value}</dd></div>`;
  return html`<dl class="sums">${sum(words.asked, rupees(order.payable_paise))}${sum(words.received, creditSum(credit))}${sum(words.difference, difference)}</dl>`;
}

/** Further apart than any slip of a customer, in either direction. */
export function isFarOff(order: Order, credit: CreditRow): boolean {
  return Math.abs((credit.amount_paise ?? 0) - order.payable_paise) > farthestSlip;
}

/** Paise: the largest offset (R6) with the rupee that somebody rounds to. */
const farthestSlip = 400;
