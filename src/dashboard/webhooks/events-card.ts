import { type Html, html } from '../../base/http/html.ts';
import { longestUrl } from '../../base/network/parse-destination.ts';
import { optionalEventTypes } from '../../outbox/webhooks/record-optional-event.ts';
import { field, postForm } from '../frame/controls.ts';
import { facts, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { whenFresh } from '../frame/when-fresh.ts';
import type { EventSettings } from '../settings/queries.ts';

/** Events beyond `payment.paid`: nothing is sent that nobody asked for. */
export function eventsCard(visit: Visit, settings: EventSettings, fault: string | undefined): Html {
  const words = visit.texts.webhooks;
  const shown = facts([
    [words.events, settings.wanted_events.join(', ') || visit.texts.labels.none],
    [words.ownUrl, settings.webhook_url === null ? '–' : html`<bdi>${settings.webhook_url}</bdi>`],
  ]);
  const body = visit.may('webhooks.change')
    ? whenFresh(visit, () => eventsForm(visit, settings, fault))
    : null;
  return titledCard({ title: words.events, id: 'events' })`
<p class="quiet">${words.eventsText}</p>${(!visit.session.fresh || body === null) && shown}${body}`;
}

function eventsForm({ texts, form }: Visit, settings: EventSettings, fault: string | undefined): Html {
  const words = texts.webhooks;
  const isAnswer = fault !== undefined;
  const wanted: readonly string[] = isAnswer ? form.all('event') : settings.wanted_events;
  const choices = optionalEventTypes.map(
    event => html`<div class="choice"><input type="checkbox" id="${event}" name="event" value="${event}" aria-describedby="${event}-hint"${wanted.includes(event) && html` checked`}>
<div><label for="${event}"><code>${event}</code></label><p class="hint" id="${event}-hint">${words.eventMeanings[event]}</p></div></div>`,
  );
  const url = field({
    name: 'webhook_url',
    label: `${words.ownUrl} (${texts.shell.optional})`,
    hint: words.ownUrlHint,
    type: 'url',
    value: isAnswer ? form.text('webhook_url') : (settings.webhook_url ?? ''),
    maxlength: longestUrl,
    error: fault,
  });
  return postForm({
    action: '/dashboard/webhooks/events',
    fields: html`<fieldset class="field"><legend class="unseen">${words.events}</legend>${choices}</fieldset>${url}`,
    submit: texts.shell.save,
  });
}
