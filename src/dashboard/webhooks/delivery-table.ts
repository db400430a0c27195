import { type Html, html } from '../../base/http/html.ts';
import type { DeliveryRow } from '../../outbox/webhooks/queries/read.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { postButton } from '../frame/controls.ts';
import { moment, orderLink, timeSpan } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { state } from '../frame/rows.ts';

/** Every attempt with its request and response. `back` is the page to return to after a resend. */
export function deliveryTable(visit: Visit, deliveries: readonly DeliveryRow[], back: string): Html {
  // An event is resent as a whole, so only its newest attempt has the button.
  const newest = new Map<string, number>();
  for (const { event_id, delivery_id } of deliveries)
    newest.set(event_id, Math.max(newest.get(event_id) ?? 0, delivery_id));
  const isNewest = (row: DeliveryRow) => newest.get(row.event_id) === row.delivery_id;
  return html`<ul class="rows attempts">${deliveries.map(row => html`<li>${attempt(visit, row, isNewest(row) ? back : null)}</li>`)}</ul>`;
}

function attempt(visit: Visit, row: DeliveryRow, back: string | null): Html {
  const { texts } = visit;
  const words = texts.webhooks;
  const mayResend = back !== null && row.state !== 'sending' && visit.may('webhooks.resend');
  return html`<details id="attempt-${row.delivery_id}"><summary class="row faceless"><span class="who cut">${row.type}</span><span class="what"><span class="cut">${words.attempt} ${row.attempt}</span><span>· ${moment(row.started_at ?? row.due_at)}</span></span><span class="go">${outcome(texts, row)}</span></summary>
<div class="stack">${row.order_id !== null && html`<p>${orderLink(row.order_id)}</p>`}${attemptDetails(texts, row)}
${mayResend && html`<div class="actions">${postButton(`/dashboard/webhooks/${row.event_id}/resend`, words.resend, { values: { next: back } })}</div>`}</div></details>`;
}

function outcome(texts: Texts, row: DeliveryRow): Html {
  const words = texts.webhooks;
  if (row.state === 'delivered') return state(html`${words.delivered} ${row.status_code}`, 'good');
  if (row.state === 'failed') return state(texts.shell.statuses.failed, 'bad');
  return state(row.state === 'sending' ? words.sending : words.waiting, 'warn', { open: true });
}

function attemptDetails(texts: Texts, row: DeliveryRow): Html {
  const words = texts.webhooks;
  const headers = Object.entries(row.request ?? {}).map(([name, value]) => `${name}: ${text(value)}`);
  const took = row.duration_ms === null ? '' : ` · ${words.took} ${timeSpan(texts, row.duration_ms)}`;
  return html`${row.failure && html`<p>${sayReason(texts.tag, row.failure)}</p>`}
<p class="quiet">${words.to}: <bdi>${row.webhook_url}</bdi>${took}</p>
${headers.length > 0 && html`<p class="quiet">${words.request}</p><pre tabindex="0">${headers.join('\n')}</pre>`}
${row.body !== null && html`<p class="quiet">${words.body}</p><pre tabindex="0">${row.body}</pre>`}
${row.response !== null && html`<p class="quiet">${words.response}</p><pre tabindex="0">${row.response}</pre>`}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
