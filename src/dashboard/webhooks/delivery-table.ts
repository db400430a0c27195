import { type Html, html } from '../../base/http/html.ts';
import type { DeliveryRow } from '../../outbox/webhooks/queries/read.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { postButton } from '../frame/controls.ts';
import { badge, type Column, moment, orderLink, table, timeSpan } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';

/** Every attempt with its request and response. `back` is the page to return to after a resend. */
export function deliveryTable(visit: Visit, deliveries: readonly DeliveryRow[], back: string): Html {
  const { texts } = visit;
  const words = texts.webhooks;
  // An event is resent as a whole, so only its newest attempt has the button.
  const newest = new Map<string, number>();
  for (const { event_id, delivery_id } of deliveries)
    newest.set(event_id, Math.max(newest.get(event_id) ?? 0, delivery_id));
  const isNewest = (row: DeliveryRow) => newest.get(row.event_id) === row.delivery_id;
  const columns: Column<DeliveryRow>[] = [
    {
      title: words.event,
      cell: row =>
        html`<span>${row.type}${row.order_id !== null && html`<br>${orderLink(row.order_id)}`}</span>`,
    },
    { title: words.attempt, cell: row => row.attempt, number: true },
    { title: texts.labels.when, cell: row => moment(row.started_at ?? row.due_at) },
    {
      title: words.outcome,
      cell: row => html`<span>${outcome(texts, row)}${attemptDetails(texts, row)}</span>`,
    },
    {
      title: words.took,
      cell: row => (row.duration_ms === null ? '' : timeSpan(texts, row.duration_ms)),
      number: true,
    },
    {
      title: texts.labels.actionOn,
      quiet: true,
      cell: row =>
        isNewest(row) &&
        row.state !== 'sending' &&
        visit.may('webhooks.resend') &&
        postButton(`/dashboard/webhooks/${row.event_id}/resend`, words.resend, { values: { next: back } }),
    },
  ];
  return table(texts.shell.navigation.webhooks, deliveries, columns);
}

function outcome(texts: Texts, row: DeliveryRow): Html {
  const words = texts.webhooks;
  if (row.state === 'delivered') return html`${badge(words.delivered, 'good')} ${row.status_code}`;
  if (row.state === 'failed')
    return html`${badge(texts.shell.statuses.failed, 'bad')} ${row.failure && sayReason(texts.tag, row.failure)}`;
  return badge(row.state === 'sending' ? words.sending : words.waiting, 'warn');
}

function attemptDetails(texts: Texts, row: DeliveryRow): Html {
  const words = texts.webhooks;
  const headers = Object.entries(row.request ?? {}).map(([name, value]) => `${name}: ${text(value)}`);
  return html`<details id="attempt-${row.delivery_id}"><summary>${words.details}</summary>
<p class="quiet">${words.to}: <bdi>${row.webhook_url}</bdi></p>
${headers.length > 0 && html`<p class="quiet">${words.request}</p><pre tabindex="0">${headers.join('\n')}</pre>`}
${row.body !== null && html`<p class="quiet">${words.body}</p><pre tabindex="0">${row.body}</pre>`}
${row.response !== null && html`<p class="quiet">${words.response}</p><pre tabindex="0">${row.response}</pre>`}
</details>`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
