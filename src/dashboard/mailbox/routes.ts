import { listExtraAddresses, probeChannel } from '../../alerts/addresses/queries/addresses.ts';
import {
  closeForwarding,
  openForwarding,
  replaceForwarding,
} from '../../alerts/forwarding/open-forwarding.ts';
import { readOpenForwarding } from '../../alerts/forwarding/queries/forwarding.ts';
import { makeProbesDue } from '../../alerts/forwarding/queries/probes.ts';
import { selectChanged } from '../../alerts/judging/queries/ways.ts';
import { connectMailbox, disconnectMailbox } from '../../alerts/mailboxes/connect-mailbox.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { trustedRoots } from '../../alerts/mailboxes/open-connection.ts';
import { readMailbox } from '../../alerts/mailboxes/queries/settings.ts';
import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { forgive, mailboxGuesses, mayGuess } from '../../business/accounts/guesses.ts';
import type { AuditedChange } from '../../business/accounts/record-audit.ts';
import { sayReason } from '../../texts/say.ts';
import { because } from '../../texts/verdicts.ts';
import { fold } from '../frame/choosing.ts';
import { confirmPage, whenConfirmed } from '../frame/controls.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, get, nextPath, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { connectForm, readConnectForm } from './connect-form.ts';
import { addAddress, askRemoval, confirmAddress, extraCard, removeAddress } from './extra-addresses.ts';
import { forwardingCard, forwardingNews, newsPath, readForwarding } from './forwarding-card.ts';
import { finishSignIn, recordConnection, startSignIn } from './provider-sign-in.ts';
import { stateCard } from './state-card.ts';

const home = '/dashboard/mailbox';
const forwarding = `${home}/forwarding` as const;
const change = reauth('mailbox.change');

export const mailboxRoutes = [
  get(home, 'business.read', mailboxPage),
  post(home, change, connect),
  get(`${home}/disconnect`, change, askDisconnection),
  post(`${home}/disconnect`, change, disconnect),
  post(`${home}/sign-in/:provider`, change, startSignIn),
  get(`${home}/signed-in`, change, finishSignIn),
  post(`${home}/addresses`, change, add),
  post(`${home}/addresses/confirm`, change, confirmAddress),
  get(`${home}/addresses/remove`, change, askRemoval),
  post(`${home}/addresses/remove`, change, removeAddress),
  get(newsPath, 'business.read', showNews),
  post(forwarding, change, open),
  post(`${forwarding}/probe`, 'mailbox.change', probe),
  get(`${forwarding}/replace`, change, (world: World, visit: Visit) => ask(world, visit, 'replace')),
  post(`${forwarding}/replace`, change, replace),
  get(`${forwarding}/stop`, change, (world: World, visit: Visit) => ask(world, visit, 'stop')),
  post(`${forwarding}/stop`, change, stop),
];

type Said = { fault?: string; addressFault?: string; tooMany?: string };

async function mailboxPage(world: World, visit: Visit, said: Said = {}): Promise<Answer> {
  const { addressFault, tooMany } = said;
  const fault = tooMany ?? said.fault;
  const { texts, merchantId, now } = visit;
  const words = texts.mailbox;
  const [state, stored, extra, forwarding] = await Promise.all([
    mailboxState(world.sql, merchantId, now),
    readMailbox(world.sql, merchantId),
    listExtraAddresses(world.sql, merchantId),
    readForwarding(world, visit),
  ]);
  const changed = state && (await selectChanged(world.sql, merchantId, 'mailbox', state.lastAlert));
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query, home);
  const isQuiet = state !== null && !state.blind && !state.needsLogin && fault === undefined;
  const title = state ? words.change : texts.labels.connectMailbox;
  const body = html`<div class="stack"><p class="small quiet">${words.connectText}${state && state.readUntil === null && html` ${words.replaceText}`}</p>${whenConfirmed(visit, () => connectForm(world, visit, { fault, stored, next }))}</div>`;
  const connectSection = html`<section class="stack" id="connect">${isQuiet ? fold(title, body) : html`<h2>${title}</h2>${body}`}</section>`;
  return shopScreen(visit, 'bank', {
    title: texts.shop.bank.how,
    text: texts.forwarding.both,
    status: tooMany !== undefined ? 429 : (fault ?? addressFault) !== undefined ? 400 : 200,
  })`${state && stateCard(visit, state, changed)}${forwardingCard(world, visit, forwarding, state === null)}
${visit.may('mailbox.change') && connectSection}
${extraCard(visit, extra, addressFault)}`;
}

async function connect(world: World, visit: Visit): Promise<Answer> {
  // The button of release 0.2.0 that only tested a connection must not make one.
  if (visit.form.text('act') === 'test') return await mailboxPage(world, visit);
  const words = visit.texts.mailbox;
  const settings = readConnectForm(visit.form);
  const guesses = mailboxGuesses(settings.address, visit.merchantId);
  if (!(await mayGuess(world, guesses)))
    return await mailboxPage(world, visit, { tooMany: visit.texts.account.tooManyTries });
  const options = { roots: trustedRoots(world.config.imapCa), record: recordConnection(visit) };
  const tried = await connectMailbox(world, visit.merchantId, settings, options);
  if (!tried.ok) return await mailboxPage(world, visit, { fault: sayReason(visit.texts.tag, tried.reason) });
  await forgive(world, guesses);
  return redirect(nextPath(visit.form, home), words.connected);
}

async function askDisconnection(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const state = await mailboxState(world.sql, visit.merchantId, visit.now);
  if (!state) return redirect(home);
  return confirmPage(visit, {
    title: words.disconnectTitle(state),
    consequences: words.disconnectConsequences,
    submit: words.disconnect,
    back: home,
  });
}

async function disconnect(world: World, visit: Visit): Promise<Answer> {
  const state = await mailboxState(world.sql, visit.merchantId, visit.now);
  if (!state) return redirect(home);
  const notice = because('mailbox_disconnected', { address: state.address });
  const audited = { action: 'mailbox.disconnect', subject: state.address, notice } as const;
  const disconnect = (tx: Transaction) => disconnectMailbox(tx, visit.merchantId, visit.now);
  const ended = await makeChange(world, visit, disconnect, done => done && audited);
  const words = visit.texts.mailbox;
  return redirect(home, ended?.readUntil ? words.disconnecting : words.disconnected);
}

async function add(world: World, visit: Visit): Promise<Answer> {
  const added = await addAddress(world, visit);
  return 'answer' in added ? added.answer : await mailboxPage(world, visit, { addressFault: added.fault });
}

async function showNews(world: World, visit: Visit): Promise<Answer> {
  const shown = await readForwarding(world, visit);
  return { kind: 'fragment', body: shown ? forwardingNews(visit, shown) : html`` };
}

async function open(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.forwarding;
  const { mailDomain } = world.config;
  if (mailDomain === null) return notFound();
  const { merchantId, now } = visit;
  const address = await world.sql.begin(async tx => {
    const known = await readOpenForwarding(tx, merchantId);
    const opened = await openForwarding(tx, { merchantId, mailDomain, now });
    if (opened !== null && known === null) await recordChange(tx, visit, entryOf('open', opened));
    return opened;
  });
  return redirect(
    nextPath(visit.form, `${home}#forwarding`),
    address === null ? words.leaving : words.opened,
  );
}

async function replace(world: World, visit: Visit): Promise<Answer> {
  const { mailDomain } = world.config;
  if (mailDomain === null) return notFound();
  const { merchantId, now } = visit;
  const isReplaced = await makeChange(world, visit, async tx => {
    const next = await replaceForwarding(tx, { merchantId, mailDomain, now });
    return next === null ? null : entryOf('replace', next);
  });
  const { leaving, replaced } = visit.texts.forwarding;
  return redirect(`${home}#forwarding`, isReplaced ? replaced : leaving);
}

async function stop(world: World, visit: Visit): Promise<Answer> {
  await makeChange(world, visit, async tx => {
    const ended = await closeForwarding(tx, visit.merchantId, visit.now);
    return ended === null ? null : entryOf('stop', ended);
  });
  return redirect(`${home}#forwarding`, visit.texts.forwarding.stopped);
}

/** Sends a probe mail because the owner asked. Repeated clicks send one per minute. */
async function probe(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, now } = visit;
  if (await makeProbesDue(world.sql, merchantId, { now, sentBefore: later(now, -1 * minute) }))
    await world.sql.notify(probeChannel, '');
  return redirect(`${home}#forwarding`, visit.texts.forwarding.tested);
}

async function ask(world: World, visit: Visit, what: 'replace' | 'stop'): Promise<Answer> {
  const words = visit.texts.forwarding;
  if (!(await readOpenForwarding(world.sql, visit.merchantId))) return redirect(home);
  return confirmPage(visit, {
    title: what === 'replace' ? words.replaceTitle : words.stopTitle,
    consequences: what === 'replace' ? words.replaceConsequences : words.stopConsequences,
    submit: words[what],
    back: home,
  });
}

function entryOf(what: 'open' | 'replace' | 'stop', address: string): AuditedChange {
  const auditEntries = {
    open: { action: 'forwarding.open', notice: because('forwarding_opened', { address }) },
    replace: { action: 'forwarding.replace', notice: because('forwarding_replaced', { address }) },
    stop: { action: 'forwarding.stop', notice: because('forwarding_stopped', { address }) },
  } as const;
  return { ...auditEntries[what], subject: address };
}
