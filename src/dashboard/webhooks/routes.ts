import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import { checkDestination } from '../../base/network/check-destination.ts';
import { longestUrl } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import {
  type DeliveryPage,
  listDeliveries,
  type WebhookHealth,
  webhookHealth,
} from '../../outbox/webhooks/queries/deliveries.ts';
import { optionalEventTypes } from '../../outbox/webhooks/record-event.ts';
import { resendAllFailed, resendEvent } from '../../outbox/webhooks/resend-event.ts';
import { sendTestEvent } from '../../outbox/webhooks/send-test-event.ts';
import { sayReason } from '../../texts/say.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { fold, tabs } from '../frame/choosing.ts';
import { field, postButton, postForm, whenConfirmed } from '../frame/controls.ts';
import { emptyState, facts, moment, note, pagination } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, get, nextPath, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { stillAllowed } from '../frame/still-allowed.ts';
import { withQuery } from '../frame/with-query.ts';
import { type EventSettings, selectEventSettings, updateEventSettings } from '../shop/queries.ts';
import { deliveryTable } from './delivery-table.ts';

const home = '/dashboard/webhooks';

export const webhooksRoutes = [
  get(home, 'business.read', webhooksPage),
  post(`${home}/:event_id/resend`, 'webhooks.resend', resend),
  post(`${home}/resend-failed`, 'webhooks.resend', resendFailed),
  post(`${home}/test`, 'webhooks.change', sendTest),
  // Requires a recent confirmation: another address would learn who pays this business, and how much.
  post(`${home}/events`, reauth('webhooks.change'), chooseEvents),
];

type Faults = { test?: Reason; events?: string };

async function webhooksPage(world: World, visit: Visit, faults: Faults = {}): Promise<Answer> {
  const { texts, merchantId, query } = visit;
  const onlyFailed = query.text('only') === 'failed';
  const before = /^\d{1,15}$/.test(query.text('before')) ? Number(query.text('before')) : null;
  const [list, health, events] = await Promise.all([
    listDeliveries(world, merchantId, { before, onlyFailed }),
    webhookHealth(world, merchantId),
    selectEventSettings(world.sql, merchantId),
  ]);
  const isRefused = faults.test !== undefined || faults.events !== undefined;
  const title = texts.integrations.webhookLog;
  return shopScreen(visit, 'integrations', { title, ...(isRefused && { status: 400 }) })`
${healthSection(visit, health)}
${listBody(visit, list, { onlyFailed, before })}
${visit.may('webhooks.change') && testSection(visit, faults.test)}
${eventsSection(visit, events, faults.events)}`;
}

function listBody(
  visit: Visit,
  { deliveries, before: next }: DeliveryPage,
  { onlyFailed, before }: { onlyFailed: boolean; before: number | null },
): Html {
  const { texts } = visit;
  const words = texts.webhooks;
  const address = (failed: boolean, from: number | null) =>
    withQuery(home, { only: failed && 'failed', before: from });
  const tab = (failed: boolean, text: string) => ({
    href: address(failed, null),
    text,
    current: failed === onlyFailed,
  });
  const links = {
    newer: before === null ? null : address(onlyFailed, null),
    older: next === null ? null : address(onlyFailed, next),
  };
  const nothing = onlyFailed
    ? emptyState(words.noneTitle, words.noneText)
    : emptyState(words.emptyTitle, words.emptyText);
  return html`${tabs(words.outcome, [tab(false, words.all), tab(true, words.failed)])}
${deliveries.length === 0 ? nothing : deliveryTable(visit, deliveries, visit.url)}
${pagination(texts, links)}`;
}

function healthSection(visit: Visit, { open, failed, failing }: WebhookHealth): Html {
  const words = visit.texts.webhooks;
  return html`<div class="between"><p class="small quiet">${words.healthText({ open, failed })}</p>${failed > 0 && visit.may('webhooks.resend') && postButton(`${home}/resend-failed`, words.resendAll)}</div>
${failing.map(one => note(html`<p>${words.failing(one)} ${visit.texts.labels.since}: ${moment(one.failing_since)}. ${visit.texts.labels.lastReason}: ${sayReason(visit.texts.tag, one.last_failure)}.</p>`, 'bad'))}`;
}

function testSection({ texts, form }: Visit, fault: Reason | undefined): Html {
  const words = texts.webhooks;
  const url = field('url', texts.labels.address, {
    type: 'url',
    value: form.text('url'),
    hint: words.testUrlHint,
    maxlength: longestUrl,
    error: fault === undefined ? undefined : `${words.testFailed} ${sayReason(texts.tag, fault)}.`,
  });
  const body = html`<div class="stack"><p class="small quiet">${words.testText}</p>${postForm(`${home}/test`, words.test, url)}</div>`;
  return html`<section id="test">${fault === undefined ? fold(words.test, body) : body}</section>`;
}

async function resend(world: World, visit: Visit): Promise<Answer> {
  const eventId = visit.params['event_id'] ?? '';
  const again = (tx: Transaction) => resendEvent(tx, world, visit.merchantId, eventId);
  const audited = { action: 'webhook.resend', subject: eventId } as const;
  const outcome = await makeChange(world, visit, again, resent => resent !== 'unknown' && audited);
  if (outcome === 'unknown') return notFound();
  return redirect(nextPath(visit.form, home), visit.texts.webhooks.resent[outcome]);
}

async function resendFailed(world: World, visit: Visit): Promise<Answer> {
  const again = (tx: Transaction) => resendAllFailed(tx, world, visit.merchantId);
  const entryOf = (resent: number) => ({ action: 'webhook.resend_failed', subject: String(resent) }) as const;
  const count = await makeChange(world, visit, again, entryOf);
  return redirect(home, visit.texts.webhooks.resentAll({ count }));
}

async function sendTest(world: World, visit: Visit): Promise<Answer> {
  const url = visit.form.text('url');
  const record = async (tx: Transaction, eventId: string) => {
    await stillAllowed(tx, visit, 'webhooks.change');
    await recordChange(tx, visit, { action: 'webhook.test', subject: eventId, details: url });
  };
  const sent = await sendTestEvent(world, visit.merchantId, url === '' ? null : url, record);
  if (!sent.ok) return await webhooksPage(world, visit, { test: sent.reason });
  return redirect(home, visit.texts.webhooks.testSent);
}

async function chooseEvents(world: World, visit: Visit): Promise<Answer> {
  const { form, texts } = visit;
  const refuse = (why: Reason) => webhooksPage(world, visit, { events: sayReason(texts.tag, why) });
  const wanted = optionalEventTypes.filter(event => form.all('event').includes(event));
  const url = form.text('webhook_url');
  if (url === '' && wanted.includes('payment.unmatched')) return await refuse(because('events_need_address'));
  if (url !== '') {
    const checked = await checkDestination(world, url);
    if (!checked.ok) return await refuse(checked.reason);
  }
  await makeChange(world, visit, async tx => {
    await stillAllowed(tx, visit, 'webhooks.change');
    await updateEventSettings(tx, visit.merchantId, { webhook_url: url || null, wanted_events: wanted });
    const events = wanted.join(', ') || '–';
    const notice = because('events_chosen', { address: url || '–', events });
    return { action: 'webhook.events', subject: url || '–', details: events, notice };
  });
  return redirect(`${home}#events`, texts.labels.saved);
}

/** Events beyond `payment.paid`. They are sent only if the owner asks for them. */
function eventsSection(visit: Visit, settings: EventSettings, fault: string | undefined): Html {
  const words = visit.texts.webhooks;
  const shown = facts([
    [words.events, settings.wanted_events.join(', ') || visit.texts.labels.none],
    [words.ownUrl, settings.webhook_url === null ? '–' : html`<bdi>${settings.webhook_url}</bdi>`],
  ]);
  const body = visit.may('webhooks.change')
    ? whenConfirmed(visit, () => eventsForm(visit, settings, fault))
    : null;
  const all = html`<div class="stack"><p class="small quiet">${words.eventsText}</p>${(!visit.session.confirmed || body === null) && shown}${body}</div>`;
  return html`<section id="events">${fault === undefined ? fold(words.events, all) : all}</section>`;
}

function eventsForm({ texts, form }: Visit, settings: EventSettings, fault: string | undefined): Html {
  const words = texts.webhooks;
  const isAnswer = fault !== undefined;
  const wanted: readonly string[] = isAnswer ? form.all('event') : settings.wanted_events;
  const choices = optionalEventTypes.map(
    event => html`<div class="choice"><input type="checkbox" id="${event}" name="event" value="${event}" aria-describedby="${event}-hint"${wanted.includes(event) && html` checked`}>
<div><label for="${event}"><code>${event}</code></label><p class="hint" id="${event}-hint">${words.eventMeanings[event]}</p></div></div>`,
  );
  const url = field('webhook_url', `${words.ownUrl} (${texts.shell.optional})`, {
    hint: words.ownUrlHint,
    type: 'url',
    value: isAnswer ? form.text('webhook_url') : (settings.webhook_url ?? ''),
    maxlength: longestUrl,
    error: fault,
  });
  return postForm(
    '/dashboard/webhooks/events',
    texts.shell.save,
    html`<fieldset class="field"><legend class="unseen">${words.events}</legend>${choices}</fieldset>${url}`,
  );
}
