import { type Html, html } from '../../base/http/html.ts';
import { paiseFromRupees } from '../../base/money.ts';
import { shownName } from '../../base/read-name.ts';
import type { DeliveryRow } from '../../outbox/webhooks/queries/deliveries.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { postButton } from '../frame/controls.ts';
import { moment, orderLink, timeSpan } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { money, state } from '../frame/rows.ts';

/** Every attempt with its request and response. `back` is the page to return to after a resend. */
export function deliveryTable(visit: Visit, deliveries: readonly DeliveryRow[], back: string): Html {
  // An event is resent as a whole, so only its newest attempt, the first one, has the button.
  const isNewest = (row: DeliveryRow) => deliveries.find(one => one.event_id === row.event_id) === row;
  return html`<ul class="rows attempts">${deliveries.map(row => html`<li>${attempt(visit, row, isNewest(row) ? back : null)}</li>`)}</ul>`;
}

function attempt(visit: Visit, row: DeliveryRow, back: string | null): Html {
  const { texts } = visit;
  const words = texts.webhooks;
  const mayResend = back !== null && row.state !== 'sending' && visit.may('webhooks.resend');
  const about = customerAndSum(texts, row);
  return html`<details id="attempt-${row.delivery_id}"><summary class="row faceless"><span class="who cut">${about ? html`<bdi>${about.who}</bdi>` : row.type}</span>${about && html`<span class="sum">${about.sum}</span>`}<span class="what"><span class="cut">${about && `${row.type} · `}${moment(row.started_at ?? row.due_at)}${row.attempt > 1 && ` · ${words.attempt} ${row.attempt}`}</span></span>${outcome(texts, row)}</summary>
<div class="stack">${row.order_id !== null && html`<p>${orderLink(row.order_id)}</p>`}${attemptDetails(texts, row)}
${mayResend && html`<div class="actions">${postButton(`/dashboard/webhooks/${row.event_id}/resend`, words.resend, { values: { next: back } })}</div>`}</div></details>`;
}

/** The body's own words. Null for a test, and for a body that is gone or, after an import, is something else. */
function customerAndSum({ payments }: Texts, { body }: DeliveryRow): { who: string; sum: Html } | null {
  try {
    const { customer, payer, merchant_order_id: id, ...sums } = JSON.parse(body ?? '').data;
    const sum = sums.received_amount ?? sums.payable_amount ?? sums.amount;
    const who = shownName(customer?.name ?? payer) || (id && payments.ways.website({ id }));
    return who && { who, sum: money(paiseFromRupees(sum)) };
  } catch {
    return null;
  }
}

function outcome(texts: Texts, row: DeliveryRow): Html {
  const words = texts.webhooks;
  if (row.state === 'delivered') return state(html`${words.delivered} ${row.status_code}`, 'good');
  if (row.state === 'failed') return state(texts.shell.statuses.failed, 'bad');
  return state(row.state === 'sending' ? words.sending : words.waiting, 'warn', { open: true });
}

function attemptDetails(texts: Texts, row: DeliveryRow): Html {
  const words = texts.webhooks;
  const headers = Object.entries(row.request ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const took = row.duration_ms === null ? '' : ` · ${words.took} ${timeSpan(texts, row.duration_ms)}`;
  return html`${row.failure && html`<p>${sayReason(texts.tag, row.failure)}</p>`}
<p class="quiet">${words.to}: <bdi>${row.webhook_url}</bdi>${took}</p>
${headers.length > 0 && html`<p class="quiet">${words.request}</p><pre tabindex="0">${headers.join('\n')}</pre>`}
${row.body !== null && html`<p class="quiet">${words.body}</p><pre tabindex="0">${row.body}</pre>`}
${row.response !== null && html`<p class="quiet">${words.response}</p><pre tabindex="0">${row.response}</pre>`}`;
}
