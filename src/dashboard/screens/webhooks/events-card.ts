import { type Html, html } from '../../../http/html.ts';
import { longestUrl } from '../../../network/parse-destination.ts';
import { optionalEventTypes } from '../../../webhooks/record-optional-event.ts';
import { field, postForm } from '../../components/controls.ts';
import { card, facts } from '../../components/parts.ts';
import type { EventSettings } from '../../queries/settings.ts';
import type { Visit } from '../../route.ts';
import { whenFresh } from '../when-fresh.ts';

/** Events beyond `payment.paid`: nothing is sent that nobody asked for. */
export function eventsCard(visit: Visit, settings: EventSettings, fault: string | undefined): Html {
  const words = visit.texts.webhooks;
  const shown = facts([
    [words.events, settings.wanted_events.join(', ') || words.eventsNone],
    [words.ownUrl, settings.webhook_url === null ? '–' : html`<bdi>${settings.webhook_url}</bdi>`],
  ]);
  const body = visit.may('webhooks.change')
    ? whenFresh(visit, () => eventsForm(visit, settings, fault))
    : null;
  return card(
    html`<p class="quiet">${words.eventsText}</p>${(!visit.session.fresh || body === null) && shown}${body}`,
    { title: words.events, id: 'events' },
  );
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
