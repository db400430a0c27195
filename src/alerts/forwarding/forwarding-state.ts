import { day, later, minute } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { probeChannel } from '../addresses/queries/addresses.ts';
import { mailboxState } from '../mailboxes/mailbox-state.ts';
import { readOpenForwarding } from './queries/forwarding.ts';
import { listProbes, makeProbesDue } from './queries/probes.ts';

/** A probe comes back within seconds. After this long, nothing is coming through. */
export const silentAfter = 5 * minute;

export type ForwardingState = NonNullable<Awaited<ReturnType<typeof forwardingState>>>;
export type ProbeState = ForwardingState['probes'][number];

/** Null without a forwarding address. Without probes its state is unknown, so it never counts as unreachable. */
export async function forwardingState(sql: Queryable, merchantId: number, now: Date) {
  const [row, probes] = await Promise.all([readOpenForwarding(sql, merchantId), listProbes(sql, merchantId)]);
  if (!row) return null;
  const waiting = probes
    .flatMap(probe => probe.probe_waiting_since ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0];
  const blind = waiting !== undefined && waiting < later(now, -silentAfter);
  return {
    address: row.address,
    worksSince: row.works_since,
    lastAlert: row.last_alert_at,
    /** One entry for each address whose mail is forwarded; empty if none is probed. */
    probes: probes.map(probe => ({
      address: probe.address,
      sentAt: probe.probe_sent_at,
      answeredAt: probe.probe_answered_at,
      waitingSince: probe.probe_waiting_since,
      /** Why our own mail server refused the last one. */
      failure: probe.probe_failure,
      /** How the last one was changed on its way; null if it was unchanged. */
      change: probe.probe_change,
    })),
    blind,
    blindSince: blind ? waiting : null,
  };
}

/** If one way brought an alert this long before the other did, the shop no longer relies on it. */
const reliedOnFor = 1 * day;

/**
 * Whether a payment made now would not be seen soon. True if every way that brought the last alerts is unreachable, or
 * if no way works. Runs when a customer opens the page, so it also probes a silent forwarding.
 */
export async function isBlind(world: Pick<World, 'sql' | 'clock' | 'log'>, merchantId: number) {
  const { forwarding, isListening } = await listeningState(world.sql, merchantId, world.clock.now());
  if (forwarding) probeNow(world, merchantId, forwarding);
  return !isListening;
}

export type Listening = Awaited<ReturnType<typeof listeningState>>;

/** For a line on every page of the dashboard: whether payments would be seen, and when the bank's last mail came. */
export async function listeningState(sql: Queryable, merchantId: number, now: Date) {
  const [mailbox, forwarding] = await Promise.all([
    mailboxState(sql, merchantId, now),
    forwardingState(sql, merchantId, now),
  ]);
  const ways = [mailbox, forwarding?.worksSince ? forwarding : null].filter(way => way !== null);
  const last = Math.max(...ways.map(way => way.lastAlert?.getTime() ?? 0));
  const since = later(new Date(last), -reliedOnFor);
  const relied = last <= 0 ? ways : ways.filter(({ lastAlert }) => lastAlert && lastAlert >= since);
  return {
    forwarding,
    isListening: !relied.every(({ blind }) => blind),
    lastMail: last > 0 ? new Date(last) : null,
  };
}

/** Mail that came this recently proves that the way works. */
const recent = 10 * minute;

/** A person opened the page after a silence, so probe now instead of at the next turn. */
export function probeNow(
  { sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>,
  merchantId: number,
  { probes, lastAlert }: ForwardingState,
): void {
  const now = clock.now();
  const sentBefore = later(now, -recent);
  if (lastAlert && lastAlert > sentBefore) return;
  if (!probes.some(({ sentAt }) => sentAt && sentAt < sentBefore)) return;
  const hasten = async () => {
    if (await makeProbesDue(sql, merchantId, { now, sentBefore })) await sql.notify(probeChannel, '');
  };
  hasten().catch(error => log.warn({ err: error }, 'a probe could not be sent early'));
}
