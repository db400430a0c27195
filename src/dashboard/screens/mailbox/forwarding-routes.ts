import { later, minute } from '../../../clock.ts';
import type { Transaction } from '../../../database/connect.ts';
import { html } from '../../../http/html.ts';
import { closeForwarding, openForwarding, replaceForwarding } from '../../../mailboxes/open-forwarding.ts';
import { readOpenForwarding } from '../../../mailboxes/queries/forwarding.ts';
import { hastenProbes, probeChannel } from '../../../mailboxes/queries/probes.ts';
import { because } from '../../../verdicts.ts';
import type { World } from '../../../world.ts';
import { confirmPage } from '../../components/controls.ts';
import { nextPath } from '../../next-path.ts';
import { recordChange } from '../../record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../../route.ts';
import { readForwarding } from './forwarding-card.ts';
import { forwardingNews, newsPath } from './forwarding-news.ts';

const mailbox = '/dashboard/mailbox';
const home = `${mailbox}/forwarding`;
const change = fresh('mailbox.change');

export const forwardingRoutes = [
  get(newsPath, 'business.read', showNews),
  post(home, change, open),
  post(`${home}/probe`, 'mailbox.change', probe),
  get(`${home}/replace`, change, (world: World, visit: Visit) => ask(world, visit, 'replace')),
  post(`${home}/replace`, change, replace),
  get(`${home}/stop`, change, (world: World, visit: Visit) => ask(world, visit, 'stop')),
  post(`${home}/stop`, change, stop),
];

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
    if (opened !== null && known === null) await record(tx, visit, 'open', opened);
    return opened;
  });
  return redirect(
    nextPath(visit.form, `${mailbox}#forwarding`),
    address === null ? words.leaving : words.opened,
  );
}

async function replace(world: World, visit: Visit): Promise<Answer> {
  const { mailDomain } = world.config;
  if (mailDomain === null) return notFound();
  const { merchantId, now } = visit;
  const address = await world.sql.begin(async tx => {
    const next = await replaceForwarding(tx, { merchantId, mailDomain, now });
    if (next !== null) await record(tx, visit, 'replace', next);
    return next;
  });
  return redirect(
    `${mailbox}#forwarding`,
    address === null ? visit.texts.forwarding.leaving : visit.texts.forwarding.replaced,
  );
}

async function stop(world: World, visit: Visit): Promise<Answer> {
  await world.sql.begin(async tx => {
    const ended = await closeForwarding(tx, visit.merchantId, visit.now);
    if (ended !== null) await record(tx, visit, 'stop', ended);
  });
  return redirect(`${mailbox}#forwarding`, visit.texts.forwarding.stopped);
}

/** The owner asked for it; whoever clicks often gets one a minute. */
async function probe(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, now } = visit;
  if (await hastenProbes(world.sql, merchantId, { now, sentBefore: later(now, -1 * minute) }))
    await world.sql.notify(probeChannel, '');
  return redirect(`${mailbox}#forwarding`, visit.texts.forwarding.tested);
}

async function ask(world: World, visit: Visit, what: 'replace' | 'stop'): Promise<Answer> {
  const words = visit.texts.forwarding;
  if (!(await readOpenForwarding(world.sql, visit.merchantId))) return redirect(mailbox);
  return confirmPage(visit, {
    title: what === 'replace' ? words.replaceTitle : words.stopTitle,
    consequences: what === 'replace' ? words.replaceConsequences : words.stopConsequences,
    submit: words[what],
    back: mailbox,
  });
}

async function record(
  tx: Transaction,
  visit: Visit,
  what: 'open' | 'replace' | 'stop',
  subject: string,
): Promise<void> {
  const deeds = {
    open: { action: 'forwarding.open', notice: because('forwarding_opened', { address: subject }) },
    replace: { action: 'forwarding.replace', notice: because('forwarding_replaced', { address: subject }) },
    stop: { action: 'forwarding.stop', notice: because('forwarding_stopped', { address: subject }) },
  } as const;
  await recordChange(tx, visit, { ...deeds[what], subject });
}
