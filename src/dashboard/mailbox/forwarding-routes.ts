import { probeChannel } from '../../alerts/addresses/queries/addresses.ts';
import {
  closeForwarding,
  openForwarding,
  replaceForwarding,
} from '../../alerts/forwarding/open-forwarding.ts';
import { readOpenForwarding } from '../../alerts/forwarding/queries/forwarding.ts';
import { hastenProbes } from '../../alerts/forwarding/queries/probes.ts';
import { later, minute } from '../../base/clock.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Deed } from '../../business/accounts/record-deed.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage } from '../frame/controls.ts';
import { nextPath } from '../frame/next-path.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
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
    if (opened !== null && known === null) await recordChange(tx, visit, deedOf('open', opened));
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
  const isReplaced = await makeChange(world, visit, async tx => {
    const next = await replaceForwarding(tx, { merchantId, mailDomain, now });
    return next === null ? null : deedOf('replace', next);
  });
  const { leaving, replaced } = visit.texts.forwarding;
  return redirect(`${mailbox}#forwarding`, isReplaced ? replaced : leaving);
}

async function stop(world: World, visit: Visit): Promise<Answer> {
  await makeChange(world, visit, async tx => {
    const ended = await closeForwarding(tx, visit.merchantId, visit.now);
    return ended === null ? null : deedOf('stop', ended);
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

function deedOf(what: 'open' | 'replace' | 'stop', address: string): Deed {
  const deeds = {
    open: { action: 'forwarding.open', notice: because('forwarding_opened', { address }) },
    replace: { action: 'forwarding.replace', notice: because('forwarding_replaced', { address }) },
    stop: { action: 'forwarding.stop', notice: because('forwarding_stopped', { address }) },
  } as const;
  return { ...deeds[what], subject: address };
}
