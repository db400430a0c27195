import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import type { TillOrder } from '../../queries/till.ts';
import { rupees } from '../rupees.ts';

/** The moment everybody at the counter waits for: seen from across it, and by colour alone of nothing else. */
export function paidPanel({ till }: Texts, order: TillOrder): Html {
  const about = [order.purpose, order.customer?.name].filter(Boolean).join(', ');
  return html`<div class="paid-panel"><span class="paid-tick" aria-hidden="true">✓</span>
<p class="paid-sum"><strong>${till.paid(rupees(order.received_paise ?? order.payable_paise))}</strong></p>
${about !== '' && html`<p><bdi>${about}</bdi></p>`}</div>`;
}
