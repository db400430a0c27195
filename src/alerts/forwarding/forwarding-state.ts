import { later, minute } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { readOpenForwarding } from './queries/forwarding.ts';
import { listProbes } from './queries/probes.ts';

/** A probe comes back within seconds; after this long nothing is coming through. */
export const silentAfter = 5 * minute;

export type ForwardingState = NonNullable<Awaited<ReturnType<typeof forwardingState>>>;
export type ProbeState = ForwardingState['probes'][number];

/** Null without a forwarding address. Without probes nobody can know that it is blind, so it is never called so. */
export async function forwardingState(sql: Queryable, merchantId: number, now: Date) {
  const [row, probes] = await Promise.all([readOpenForwarding(sql, merchantId), listProbes(sql, merchantId)]);
  if (!row) return null;
  const waiting = probes
    .flatMap(probe => probe.probe_waiting_since ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0];
  const blind = waiting !== undefined && waiting < later(now, -silentAfter);
  return {
    /** Where alerts are to be sent on to. */
    address: row.address,
    worksSince: row.works_since,
    lastAlert: row.last_alert_at,
    /** One for each address whose mail is sent on; empty where none is probed. */
    probes: probes.map(probe => ({
      address: probe.address,
      sentAt: probe.probe_sent_at,
      /** When the last one came back, and how long it took. */
      answeredAt: probe.probe_answered_at,
      tookMs:
        probe.probe_answered_at && probe.probe_answer_sent_at
          ? Math.max(0, probe.probe_answered_at.getTime() - probe.probe_answer_sent_at.getTime())
          : null,
      waitingSince: probe.probe_waiting_since,
      /** Our own mail server did not take the last one. */
      failure: probe.probe_failure,
      /** What became of the last one on its way; null when it came as it left. */
      change: probe.probe_change,
    })),
    blind,
    blindSince: blind ? waiting : null,
  };
}
