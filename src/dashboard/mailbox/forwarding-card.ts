import { ownSender } from '../../alerts/addresses/own-sender.ts';
import { forwardingState } from '../../alerts/forwarding/forwarding-state.ts';
import { hastenProbe } from '../../alerts/forwarding/hasten-probe.ts';
import { listForwardRequests } from '../../alerts/forwarding/queries/forwarding.ts';
import { selectChanged } from '../../alerts/judging/queries/ways.ts';
import { day, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Texts } from '../../texts/languages.ts';
import { copyable, dangerLink, plainLink, postButton, whenFresh } from '../frame/controls.ts';
import { titledCard } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { type ForwardingNews, forwardingNews, newsPath } from './forwarding-news.ts';

const home = '/dashboard/mailbox/forwarding';
/** Providers let their codes lapse sooner. */
const requestsShownFor = 7 * day;

/** What the screens show of the forwarding: null without an address. `filter` finds the mails that have to be sent on. */
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
  hastenProbe(world, merchantId, state);
  const own = ownSender(world.config);
  const banks = world.banks.current().filter(bank => accounts.some(account => account.bank === bank.id));
  const senders = [...banks.flatMap(bank => bank.senders), ...(own === null ? [] : [own])];
  const filter = senders.length === 0 ? '' : `from:(${senders.join(' OR ')})`;
  return { state, changed, requests, probes: own !== null, filter };
}

/** The card of the Mailbox screen. */
export function forwardingCard(world: World, visit: Visit, shown: ShownForwarding | null): Html {
  const { texts } = visit;
  const words = texts.forwarding;
  const actions = () =>
    html`<div class="actions">${postButton(`${home}/probe`, words.test)}${plainLink(`${home}/replace`, words.replace)}${dangerLink(`${home}/stop`, words.stop)}</div>`;
  return titledCard({ title: words.title, id: 'forwarding' })`<p class="quiet">${words.lead}</p>
${shown ? html`${forwardingDetails(visit, shown)}${visit.may('mailbox.change') && actions()}` : openForm(world, visit, '/dashboard/mailbox#forwarding')}`;
}

/** The address, what came, what the provider asks, and how it is set up. */
export function forwardingDetails(visit: Visit, shown: ShownForwarding): Html {
  const { texts } = visit;
  const words = texts.forwarding;
  return html`<p>${words.address}:<br>${copyable(texts, 'forward-to', shown.state.address, words.address)}</p>
<p class="quiet">${words.secret}</p>
<div id="forwarding-news" class="stack" aria-live="polite" data-live="${newsPath}">${forwardingNews(visit, shown)}</div>
${guide(texts, shown)}`;
}

function guide(texts: Texts, { filter, state }: ShownForwarding): Html {
  const words = texts.forwarding;
  return html`<details${state.worksSince === null && html` open`}><summary>${words.guide}</summary><div class="stack">
${words.guides.map(({ name, steps }) => html`<details><summary>${name}</summary><ol class="steps-list">${steps.map(step => html`<li>${step}</li>`)}</ol></details>`)}
${filter !== '' && html`<p>${words.filter}:<br>${copyable(texts, 'forward-filter', filter, words.filter)}<br><span class="quiet">${words.filterHint}</span></p>`}
</div></details>`;
}

/** The way to an address, for whoever may open one. */
export function openForm({ config }: World, visit: Visit, next: string): Html {
  const words = visit.texts.forwarding;
  if (config.mailDomain === null) return html`<p>${words.notHere}</p>`;
  if (!visit.may('mailbox.change')) return html``;
  return whenFresh(
    visit,
    () =>
      html`<div class="actions">${postButton(home, words.open, { values: { next }, plain: false })}</div>`,
  );
}
