import { adviceAbout } from '../../alerts/judging/notify-of-alerts.ts';
import type { ChangedMails } from '../../alerts/judging/queries/ways.ts';
import { type MailService, serviceAt } from '../../alerts/mailboxes/mail-services.ts';
import type { MailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { type Provider, type ProviderId, providerOf } from '../../alerts/mailboxes/providers.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Language, Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { because } from '../../texts/verdicts.ts';
import { dangerLink } from '../frame/controls.ts';
import { badge, facts, moment, note, type Tone, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';

export type InWords = { name: string; text: string; tone: Tone };

export function mailboxInWords(
  texts: Texts,
  state: MailboxState,
  changed: ChangedMails | null = null,
): InWords {
  const words = texts.mailbox;
  if (state.readUntil !== null) return { name: words.ending, text: words.endingText, tone: 'warn' };
  if (state.needsLogin) return { name: words.needsLogin, text: words.needsLoginText, tone: 'bad' };
  if (!state.blind && changed) return { name: words.changed, text: words.changedText, tone: 'bad' };
  if (!state.blind) return { name: texts.labels.beingRead, text: words.seeingText, tone: 'good' };
  if (state.lastGoodPoll === null && state.lastError === null)
    return { name: words.starting, text: words.startingText, tone: 'warn' };
  return { name: texts.labels.outOfReach, text: words.blindText, tone: 'bad' };
}

export function changedNote(texts: Texts, changed: ChangedMails | null, provider?: ProviderId): Html {
  if (!changed) return html``;
  const said = [changed.change, adviceAbout(changed.change, provider)].map(reason =>
    sayReason(texts.tag, reason),
  );
  return note(
    html`<p>${texts.mailbox.changedCount(changed)} ${said.join(' ')} <span class="quiet">(${moment(changed.last)})</span></p>`,
    'bad',
  );
}

export function stateCard(visit: Visit, state: MailboxState, changed: ChangedMails | null): Html {
  const { texts } = visit;
  const words = texts.mailbox;
  const { name, text, tone } = mailboxInWords(texts, state, changed);
  const actions = badge(name, tone);
  return titledCard({ title: texts.shop.bank.mailbox, actions })`${tone !== 'good' && html`<p>${text}</p>`}
${changedNote(texts, changed, state.provider)}
${serviceAt(state.provider).mailbox !== 'works' && html`<p>${words.findings[changed ? 'changed' : state.lastAlert ? 'unchanged' : 'open']}</p>`}
${facts([
  [texts.labels.address, state.address],
  [words.readUntil, state.readUntil && moment(state.readUntil)],
  [texts.labels.lastLooked, state.lastGoodPoll ? moment(state.lastGoodPoll) : texts.labels.noneYet],
  [words.lastAlert, state.lastAlert ? moment(state.lastAlert) : texts.labels.noneYet],
  [words.error, state.lastError && sayReason(texts.tag, state.lastError)],
])}
${state.readUntil === null && visit.may('mailbox.change') && html`<div class="actions">${dangerLink('/dashboard/mailbox/disconnect', words.disconnect)}</div>`}`;
}

/** A sentence about the mail service; a warning if its mailbox is of no use. */
export function serviceNote({ tag, mailbox: words }: Texts, { name, provider, mailbox }: MailService): Html {
  const shown = provider === 'other' ? providerName(tag, providerOf(provider)) : name;
  const said = html`<p><strong>${shown}: ${words.uses[mailbox]}</strong></p><p>${words.advice[provider]}</p>`;
  return note(said, mailbox === 'works' ? 'good' : 'warn');
}

/** A company has the same name in every language; a person's own server has a translated description. */
export function providerName(language: Language, { id, name }: Provider): string {
  return id === 'other' ? sayReason(language, because('another_server')) : name;
}
