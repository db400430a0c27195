import { extraAddresses } from '../../alerts/addresses/add-alert-address.ts';
import { selectChanged } from '../../alerts/judging/queries/ways.ts';
import { connectMailbox } from '../../alerts/mailboxes/connect-mailbox.ts';
import { disconnectMailbox } from '../../alerts/mailboxes/disconnect-mailbox.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { trustedRoots } from '../../alerts/mailboxes/open-connection.ts';
import { readMailbox } from '../../alerts/mailboxes/queries/settings.ts';
import { testConnection } from '../../alerts/mailboxes/test-connection.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { forgive, mailboxGuesses, mayGuess } from '../../business/accounts/guesses.ts';
import { sayReason } from '../../texts/say.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage } from '../frame/controls.ts';
import { nextPath } from '../frame/next-path.ts';
import { pageHead, titledCard } from '../frame/parts.ts';
import { recorded } from '../frame/record-change.ts';
import { type Answer, fresh, get, page, post, redirect, type Visit } from '../frame/route.ts';
import { whenFresh } from '../frame/when-fresh.ts';
import { type ConnectTrial, connectForm, readConnectForm } from './connect-form.ts';
import { addAddress, askRemoval, confirmAddress, extraCard, removeAddress } from './extra-addresses.ts';
import { forwardingCard, readForwarding } from './forwarding-card.ts';
import { forwardingRoutes } from './forwarding-routes.ts';
import { finishSignIn, recordConnection, startSignIn } from './provider-sign-in.ts';
import { stateCard } from './state-card.ts';

const home = '/dashboard/mailbox';
const change = fresh('mailbox.change');

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
  ...forwardingRoutes,
];

type Said = { trial?: ConnectTrial; addressFault?: string; tooMany?: string };

async function mailboxPage(world: World, visit: Visit, said: Said = {}): Promise<Answer> {
  const { addressFault, tooMany } = said;
  const trial = tooMany === undefined ? said.trial : { ok: false, text: tooMany };
  const { texts, merchantId, now } = visit;
  const words = texts.mailbox;
  const [state, stored, extra, forwarding] = await Promise.all([
    mailboxState(world.sql, merchantId, now),
    readMailbox(world.sql, merchantId),
    extraAddresses(world, merchantId),
    readForwarding(world, visit),
  ]);
  const changed = state && (await selectChanged(world.sql, merchantId, 'mailbox', state.lastAlert));
  const next = nextPath(visit.form.has('next') ? visit.form : visit.query, home);
  const form = () => connectForm(world, visit, { trial: trial ?? null, stored, next });
  const body = html`${pageHead(texts.shell.navigation.mailbox, { text: words.text })}
<p class="quiet">${texts.forwarding.both}</p>
<div class="grid ways">${forwardingCard(world, visit, forwarding)}<div class="stack">
${state && stateCard(visit, state, changed)}
${
  visit.may('mailbox.change') &&
  titledCard({ title: state ? words.change : texts.labels.connectMailbox, id: 'connect' })`
<p class="quiet">${words.connectText}${state && state.readUntil === null && html` ${words.replaceText}`}</p>${whenFresh(visit, form)}`
}</div></div>
${extraCard(visit, extra, addressFault)}`;
  const isWrong = addressFault !== undefined || (trial && !trial.ok);
  return page({
    title: texts.shell.navigation.mailbox,
    body,
    status: tooMany !== undefined ? 429 : isWrong ? 400 : 200,
  });
}

async function connect(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const settings = readConnectForm(visit.form);
  const options = { roots: trustedRoots(world.config.imapCa) };
  const onlyTest = visit.form.text('act') === 'test';
  const guesses = mailboxGuesses(settings.address, visit.merchantId);
  if (!(await mayGuess(world, guesses)))
    return await mailboxPage(world, visit, { tooMany: visit.texts.account.tooManyTries });
  const tried = onlyTest
    ? await testConnection(world, settings, options)
    : await connectMailbox(world, visit.merchantId, settings, {
        ...options,
        record: recordConnection(visit),
      });
  const tell = (ok: boolean, text: string) => mailboxPage(world, visit, { trial: { ok, text } });
  if (!tried.ok) return await tell(false, sayReason(visit.texts.tag, tried.reason));
  await forgive(world, guesses);
  if (onlyTest) return await tell(true, words.tested(tried.folders.join(', ')));
  return redirect(nextPath(visit.form, home), words.connected);
}

async function askDisconnection(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.mailbox;
  const state = await mailboxState(world.sql, visit.merchantId, visit.now);
  if (!state) return redirect(home);
  return confirmPage(visit, {
    title: words.disconnectTitle(state.address),
    consequences: words.disconnectConsequences,
    submit: words.disconnect,
    back: home,
  });
}

async function disconnect(world: World, visit: Visit): Promise<Answer> {
  const state = await mailboxState(world.sql, visit.merchantId, visit.now);
  if (!state) return redirect(home);
  const notice = because('mailbox_disconnected', { address: state.address });
  const deed = { action: 'mailbox.disconnect', subject: state.address, notice } as const;
  const disconnect = (tx: Transaction) => disconnectMailbox(tx, visit.merchantId, visit.now);
  const ended = await recorded(world, visit, disconnect, done => done && deed);
  const words = visit.texts.mailbox;
  return redirect(home, ended?.readUntil ? words.disconnecting : words.disconnected);
}

async function add(world: World, visit: Visit): Promise<Answer> {
  const added = await addAddress(world, visit);
  return 'answer' in added ? added.answer : await mailboxPage(world, visit, { addressFault: added.fault });
}
