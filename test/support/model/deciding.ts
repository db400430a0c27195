import { day, minute } from '../../../src/base/clock.ts';
import { isSettled } from './counted.ts';
import { type Action, attach, credits, pay, refusalOf } from './credits.ts';
import type { Model } from './model.ts';
import type { ModelMail, ModelOrder } from './order-and-mail.ts';

/** Does it, and answers null; or answers why it cannot be done. */
export function decide(model: Model, action: Action, mail: ModelMail, order: ModelOrder): string | null {
  const refusal = refusalOf(model.counted, action, mail, order);
  if (refusal !== null) return refusal;
  if (action === 'accept' && mayBeCounted(model, mail)) return 'maybe_counted';
  if (action !== 'reopen' && action !== 'not there') model.counted.add(mail);
  switch (action) {
    case 'attach':
      if (order.beside !== mail) attach(mail, order, 'person');
      break;
    case 'accept':
      if (order.beside !== mail) attach(mail, order, 'person');
      if (mail.foundBy === 'exact') model.trust.find(mail);
      mail.handled = 'accepted';
      order.beside = null;
      pay(order, mail, model.now);
      model.clearPaid(order);
      Object.assign(mail, { verdict: 'paid', orderId: order.orderId });
      break;
    case 'decline':
      mail.handled = 'to_give_back';
      Object.assign(order, { beside: null, failed: true });
      break;
    case 'give back':
    case 'keep':
      mail.handled = action === 'keep' ? 'kept' : 'given_back';
      break;
    case 'not there':
      mail.notArrived ||= mail.orderId !== null;
      reopen(model, mail);
      break;
    case 'reopen':
      reopen(model, mail);
  }
  return null;
}

/** R2: without a reference, two mails of one sum and minute may report one payment, so the person is asked. */
function mayBeCounted(model: Model, mail: ModelMail): boolean {
  const { merchant, amount, digits, alertTime, reference } = mail;
  return [...model.mails.values()].some(
    other =>
      other !== mail &&
      other.merchant === merchant &&
      other.amount === amount &&
      other.digits === digits &&
      (other.reference === null || reference === null) &&
      Math.abs(other.alertTime - alertTime) <= 3 * minute &&
      other.arrivedAt >= alertTime - 3 * minute &&
      other.arrivedAt <= alertTime + 1 * day &&
      ['paid', ...credits].includes(other.verdict) &&
      isSettled(other),
  );
}

function reopen(model: Model, mail: ModelMail): void {
  const { handled, givenTo: order } = mail;
  if (handled === null || handled === 'open') return;
  mail.handled = 'open';
  if (!order) return;
  if (handled === 'attached') Object.assign(order, { beside: null, failed: false, received: null });
  else if (model.statusOf(order) === 'failed' && order.received === mail.amount) order.received = null;
}
