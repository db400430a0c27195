import type { ForwardingState, ProbeState } from '../../alerts/forwarding/forwarding-state.ts';
import type { ForwardRequest } from '../../alerts/forwarding/queries/forwarding.ts';
import type { ChangedMails } from '../../alerts/judging/queries/ways.ts';
import { adviceAbout } from '../../alerts/judging/tell-changed.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { copyable } from '../frame/controls.ts';
import { badge, facts, moment, note, timeSpan } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { changedNote, type InWords } from './state-card.ts';

export const newsPath = '/dashboard/mailbox/forwarding/news';

function forwardingInWords(texts: Texts, state: ForwardingState, isChanging: boolean): InWords {
  const words = texts.forwarding;
  if (state.blind) return { name: words.silent, text: words.silentText, tone: 'bad' };
  if (isChanging) return { name: texts.mailbox.changed, text: texts.mailbox.changedText, tone: 'bad' };
  if (state.worksSince) return { name: words.works, text: words.worksText, tone: 'good' };
  return { name: words.waiting, text: words.waitingText, tone: 'warn' };
}

export type ForwardingNews = {
  state: ForwardingState;
  changed: ChangedMails | null;
  requests: readonly ForwardRequest[];
  probes: boolean;
};

/** The part that the script asks for again and again: whoever sets the forwarding up waits for it. */
export function forwardingNews(visit: Visit, { state, changed, requests, probes }: ForwardingNews): Html {
  const { texts } = visit;
  const words = texts.forwarding;
  const { name, text, tone } = forwardingInWords(
    texts,
    state,
    changed !== null || state.probes.some(one => one.change),
  );
  return html`<p>${badge(name, tone)} ${text}</p>
${changedNote(texts, changed)}
${facts([
  [words.lastAlert, state.lastAlert ? moment(state.lastAlert) : texts.labels.noneYet],
  ...state.probes.map(probe => [words.probe(probe.address), probeInWords(texts, probe)] as const),
])}
${!probes && html`<p class="quiet">${words.noProbes}</p>`}
${probes && state.probes.length === 0 && html`<p class="quiet">${words.noAddress}</p>`}
${visit.may('mailbox.change') && requestList(texts, requests, state)}`;
}

function probeInWords(texts: Texts, probe: ProbeState): Html {
  const words = texts.forwarding;
  if (probe.failure !== null) return html`${words.probeFailed}`;
  if (probe.waitingSince) return html`${words.probeWaiting} ${moment(probe.waitingSince)}`;
  if (probe.answeredAt === null || probe.tookMs === null) return html`${words.probeNone}`;
  if (probe.change) {
    const said = [probe.change, adviceAbout(probe.change)].map(reason => sayReason(texts.tag, reason));
    return html`${words.probeChanged} ${said.join(' ')} <span class="quiet">(${moment(probe.answeredAt)})</span>`;
  }
  return html`${words.probeBack} ${timeSpan(texts, probe.tookMs)} <span class="quiet">(${moment(probe.answeredAt)})</span>`;
}

/** Others hide these questions, and their users get stuck. Text and one link of the provider's own host, nothing of the mail. */
function requestList(texts: Texts, requests: readonly ForwardRequest[], { worksSince }: ForwardingState) {
  const words = texts.forwarding;
  if (requests.length === 0)
    return worksSince ? html`` : html`<h3>${words.requests}</h3><p class="quiet">${words.requestsNone}</p>`;
  return html`<h3>${words.requests}</h3>
<ul class="plain-list">${requests.map(
    (request, at) =>
      html`<li>${note(html`<div class="stack"><p><strong>${words.askedBy(request.asked_by)}</strong> ${words.asked(words.providers[request.provider] ?? request.provider)}</p>
<p>${words.ifYours}</p>
${request.code !== null && html`<p>${words.code}: ${copyable(texts, `forward-code-${at}`, request.code, words.code)}</p>`}
${request.link !== null && html`<p><a class="button plain" href="${request.link}" target="_blank" rel="noreferrer noopener">${words.link}</a></p>`}
<p class="quiet">${words.noProof} ${moment(request.arrived_at)}</p></div>`)}</li>`,
  )}</ul>`;
}
