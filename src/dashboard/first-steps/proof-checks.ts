import { trustGates } from '../../payments/matching/why-wait.ts';
import type { Reason, Verdict } from '../../texts/verdicts.ts';
import type { OrderAlert } from '../orders/queries.ts';
import type { ProofOrder } from './queries.ts';

/** The gates that an alert passes on its way to an order, in their order. */
export const proofGates = ['arrived', 'signed', 'addressed', 'read', 'own_account', 'matched'] as const;
type ProofGate = (typeof proofGates)[number];

export type ProofCheck = { gate: ProofGate; state: 'done' | 'waiting' | 'failed'; why: Reason | null };

/** How far the newest alert came: what it passed, where it stopped and why, what is still to come. */
export function proofChecks(order: ProofOrder | null, alerts: readonly OrderAlert[]): ProofCheck[] {
  const alert = order ? (alerts.find(one => one.alert_id === order.alert_id) ?? alerts[0]) : undefined;
  const { passed, stopped } = alert ? progressOf(alert) : { passed: 0, stopped: 'waiting' as const };
  return proofGates.map((gate, at) => {
    if (at < passed) return { gate, state: 'done', why: null };
    const isStop = at === passed && alert !== undefined;
    return { gate, state: isStop ? stopped : 'waiting', why: isStop ? alert.reason : null };
  });
}

/** The gate that each verdict stops at; what is not named here stopped at the last one. */
const stops: Partial<Record<Verdict, ProofGate>> = {
  unjudged: 'signed',
  retrying: 'signed',
  forged: 'signed',
  wrong_recipient: 'addressed',
  not_a_credit: 'read',
  wrong_account: 'own_account',
};

/** It is the proof's own payment, and waits until the owner has found it in the account. */
export function isLookedFor({ reason }: Pick<OrderAlert, 'reason'>): boolean {
  return trustGates.some(gate => gate === reason?.code);
}

/** How many gates an alert has passed, and whether the next one refused it or has yet to decide. */
function progressOf(alert: OrderAlert): { passed: number; stopped: 'waiting' | 'failed' } {
  const { verdict, signing_domain, recipient, reason } = alert;
  if (verdict === 'paid') return { passed: proofGates.length, stopped: 'waiting' };
  const unread = signing_domain === null ? 'signed' : recipient === null ? 'addressed' : 'read';
  const gate = verdict === 'unreadable' ? unread : (stops[verdict] ?? 'matched');
  const isOpen = verdict === 'unjudged' || verdict === 'retrying' || isLookedFor({ reason });
  return { passed: proofGates.indexOf(gate), stopped: isOpen ? 'waiting' : 'failed' };
}
