import type { Reason } from '../verdicts.ts';
import type { ProofAlert, ProofOrder } from './queries/first-steps.ts';

/** The gates that an alert passes on its way to an order, in their order. */
export const proofGates = ['arrived', 'signed', 'addressed', 'read', 'own_account', 'matched'] as const;
export type ProofGate = (typeof proofGates)[number];

export type ProofCheck = { gate: ProofGate; state: 'done' | 'waiting' | 'failed'; why: Reason | null };

/** How far the newest alert came: what it passed, where it stopped and why, what is still to come. */
export function proofChecks(order: ProofOrder | null, alerts: readonly ProofAlert[]): ProofCheck[] {
  const alert = order ? (alerts.find(one => one.alert_id === order.alert_id) ?? alerts[0]) : undefined;
  const { passed, stopped } = alert ? progressOf(alert) : { passed: 0, stopped: 'waiting' as const };
  return proofGates.map((gate, at) => {
    if (at < passed) return { gate, state: 'done', why: null };
    const isStop = at === passed && alert !== undefined;
    return { gate, state: isStop ? stopped : 'waiting', why: isStop ? alert.reason : null };
  });
}

/** How many gates an alert has passed, and whether the next one refused it or has yet to decide. */
function progressOf(alert: ProofAlert): { passed: number; stopped: 'waiting' | 'failed' } {
  const before = (gate: ProofGate) => proofGates.indexOf(gate);
  switch (alert.verdict) {
    case 'paid':
      return { passed: proofGates.length, stopped: 'waiting' };
    case 'unjudged':
    case 'retrying':
      return { passed: before('signed'), stopped: 'waiting' };
    case 'forged':
      return { passed: before('signed'), stopped: 'failed' };
    case 'wrong_recipient':
      return { passed: before('addressed'), stopped: 'failed' };
    case 'unreadable':
      return {
        passed:
          alert.signing_domain === null
            ? before('signed')
            : alert.recipient === null
              ? before('addressed')
              : before('read'),
        stopped: 'failed',
      };
    case 'not_a_credit':
      return { passed: before('read'), stopped: 'failed' };
    case 'wrong_account':
      return { passed: before('own_account'), stopped: 'failed' };
    default:
      return { passed: before('matched'), stopped: 'failed' };
  }
}
