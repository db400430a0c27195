import { ApiError } from '../../base/http/api-error.ts';
import type { Form } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import { codePoints } from '../../base/http/text.ts';
import { mostPaise, type Paise, paiseFromText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { whyRefused } from '../../orders/create-order.ts';
import { takePayment } from '../../orders/links/pay-by-link.ts';
import { sayReason } from '../../texts/say.ts';
import type { Visit } from '../frame/route.ts';

export const mostPurpose = 80;
export const mostName = 120;

export type TillFault = { field: 'amount' | 'purpose' | 'customer' | null; text: string; way?: Html | null };

/** The amount and what stands beside it, from either form. */
export async function makeFromForm(
  world: World,
  { form, texts, merchantId, user, may }: Visit,
): Promise<{ orderId: string } | { fault: TillFault }> {
  const words = texts.till;
  const amount = readAmount(form);
  if (amount === null) return { fault: { field: 'amount', text: words.wrongAmount } };
  const [purpose, customerName] = [form.text('purpose'), form.text('customer')];
  if (codePoints(purpose) > mostPurpose) return { fault: { field: 'purpose', text: words.tooLong } };
  if (codePoints(customerName) > mostName) return { fault: { field: 'customer', text: words.tooLong } };
  try {
    const order = await world.sql.begin(tx =>
      takePayment(tx, world, { merchantId, amount, purpose, customerName, by: { person: user.email } }),
    );
    return { orderId: order.order_id };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isFull = error.code === 'plan_limit_reached' && may('business.read');
    const way = isFull ? html` <a href="/dashboard/plan">${texts.home.openPlan}</a>` : null;
    return { fault: { field: null, text: sayReason(texts.tag, whyRefused(error)), way } };
  }
}

export function readAmount(form: Form, name = 'amount'): Paise | null {
  const amount = paiseFromText(form.text(name));
  return amount === null || amount < 1 || amount > mostPaise ? null : amount;
}
