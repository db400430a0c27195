import { ownSender } from '../../alerts/addresses/code-mailer.ts';
import {
  type ForwardingState,
  forwardingState,
  type ProbeState,
  probeNow,
} from '../../alerts/forwarding/forwarding-state.ts';
import { type ForwardRequest, listForwardRequests } from '../../alerts/forwarding/queries/forwarding.ts';
import { adviceAbout } from '../../alerts/judging/notify-of-alerts.ts';
import { type ChangedMails, selectChanged } from '../../alerts/judging/queries/ways.ts';
import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { moreMenu } from '../frame/choosing.ts';
import { copyable, postButton, whenConfirmed } from '../frame/controls.ts';
import { badge, facts, moment, note, titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { changedNote, type InWords } from './state-card.ts';

const home = '/dashboard/mailbox/forwarding';
/** Providers' codes expire sooner. */
const requestsShownFor = 7 * day;

/** The shown forwarding state; null without an address. `filter` selects the mails to forward. */
export type ShownForwarding = ForwardingNews & { filter: string };

export async function readForwarding(
  world: World,
  { merchantId, now }: Visit,
): Promise<ShownForwarding | null> {
  const state = await forwardingState(world.sql, merchantId, now);
  if (!state) return null;
  const [changed, requests, accounts] = await Promise.all([
    selectChanged(world.sql, merchantId, 'forwarding', state.lastAlert),
    listForwardRequests(world.sql, merchantId, later(now, -requestsShownFor)),
    selectAccounts(world.sql, merchantId),
  ]);
  probeNow(world, merchantId, state);
  const own = ownSender(world.config);
  const banks = world.banks.current().filter(bank => accounts.some(account => account.bank === bank.id));
  const senders = [...banks.flatMap(bank => bank.senders), ...(own === null ? [] : [own])];
  const filter = senders.length === 0 ? '' : `from:(${senders.join(' OR ')})`;
  return { state, changed, requests, probes: own !== null, filter };
}

/** `isOnly` if no mailbox is read, so that the steps of setting it up are open until it works. */
export function forwardingCard(world: World, visit: Visit, shown: ShownForwarding | null, isOnly: boolean) {
  const { forwarding: words, shell } = visit.texts;
  const head = { title: words.title, id: 'forwarding' };
  if (!shown)
    return titledCard(
      head,
    )`<p class="quiet">${words.lead}</p>${openForm(world, visit, '/dashboard/mailbox#forwarding')}`;
  const details = forwardingDetails(visit, shown, isOnly);
  if (!visit.may('mailbox.change')) return titledCard(head)`${details}`;
  const others = [
    html`<a href="${home}/replace">${words.replace}</a>`,
    html`<a class="danger" href="${home}/stop">${words.stop}</a>`,
  ];
  return titledCard({ ...head, actions: moreMenu(shell.more, others) })`${details}
${shown.probes && html`<div class="actions">${postButton(`${home}/probe`, words.test)}</div>`}`;
}

export function forwardingDetails(visit: Visit, shown: ShownForwarding, isOnly = true): Html {
  const { texts } = visit;
  const words = texts.forwarding;
  const { filter, state } = shown;
  const guide = html`<div class="stack"><p class="quiet">${words.secret}</p>
${words.guides.map(({ name, steps }) => html`<details><summary>${name}</summary><ol class="steps-list">${steps.map(step => html`<li>${step}</li>`)}</ol></details>`)}
${filter !== '' && html`<p>${words.filter}:<br>${copyable(texts, 'forward-filter', filter, words.filter)}<br><span class="quiet">${words.filterHint}</span></p>`}</div>`;
  return html`<p>${words.address}:<br>${copyable(texts, 'forward-to', state.address, words.address)}</p>
<div id="forwarding-news" class="stack" aria-live="polite" data-live="${newsPath}">${forwardingNews(visit, shown)}</div>
<details${isOnly && state.worksSince === null && html` open`}><summary>${words.guide}</summary>${guide}</details>`;
}

export function openForm({ config }: World, visit: Visit, next: string): Html {
  const words = visit.texts.forwarding;
  if (config.mailDomain === null) return html`<p>${words.notHere}</p>`;
  if (!visit.may('mailbox.change')) return html``;
  return whenConfirmed(
    visit,
    () =>
      html`<div class="actions">${postButton(home, words.open, { values: { next }, plain: false })}</div>`,
  );
}

export const newsPath = '/dashboard/mailbox/forwarding/news';

export function forwardingInWords(texts: Texts, state: ForwardingState, isChanging: boolean): InWords {
  const words = texts.forwarding;
  if (state.blind) return { name: words.silent, text: words.silentText, tone: 'bad' };
  if (isChanging) return { name: texts.mailbox.changed, text: texts.mailbox.changedText, tone: 'bad' };
  if (state.worksSince) return { name: words.works, text: words.worksText, tone: 'good' };
  return { name: words.waiting, text: words.waitingText, tone: 'warn' };
}

type ForwardingNews = {
  state: ForwardingState;
  changed: ChangedMails | null;
  requests: readonly ForwardRequest[];
  probes: boolean;
};

/** The script asks for this part repeatedly, because the person who sets up forwarding waits for it. */
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
  ...state.probes.map(probe => [words.probe(probe), probeInWords(texts, probe)] as const),
])}
${!probes && html`<p class="quiet">${words.noProbes}</p>`}
${probes && state.probes.length === 0 && html`<p class="quiet">${words.noAddress}</p>`}
${visit.may('mailbox.change') && requestList(texts, requests, state)}`;
}

function probeInWords(texts: Texts, probe: ProbeState): Html {
  const words = texts.forwarding;
  if (probe.failure !== null) return html`${words.probeFailed}`;
  if (probe.waitingSince) return html`${words.probeWaiting} ${moment(probe.waitingSince)}`;
  if (probe.answeredAt === null) return html`${words.probeNone}`;
  if (probe.change) {
    const said = [probe.change, adviceAbout(probe.change)].map(reason => sayReason(texts.tag, reason));
    return html`${words.probeChanged} ${said.join(' ')} <span class="quiet">(${moment(probe.answeredAt)})</span>`;
  }
  return html`${words.probeBack} <span class="quiet">(${moment(probe.answeredAt)})</span>`;
}

/** Without the provider's questions users get stuck. Only text and a link to the provider's own host are shown. */
function requestList(texts: Texts, requests: readonly ForwardRequest[], { worksSince }: ForwardingState) {
  const words = texts.forwarding;
  if (requests.length === 0) return worksSince ? html`` : html`<p class="quiet">${words.requestsNone}</p>`;
  return html`<h3>${words.requests}</h3>
<ul class="plain-list">${requests.map(
    (request, at) =>
      html`<li>${note(html`<div class="stack"><p><strong>${words.askedBy({ address: request.asked_by })}</strong> ${words.asked({ provider: words.providers[request.provider] ?? request.provider })}</p>
<p>${words.ifYours}</p>
${request.code !== null && html`<p>${words.code}: ${copyable(texts, `forward-code-${at}`, request.code, words.code)}</p>`}
${request.link !== null && html`<p><a class="button plain" href="${request.link}" target="_blank" rel="noreferrer noopener">${words.link}</a></p>`}
<p class="quiet">${words.noProof} ${moment(request.arrived_at)}</p></div>`)}</li>`,
  )}</ul>`;
}
