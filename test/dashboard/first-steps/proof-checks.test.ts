import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofChecks, proofGates } from '../../../src/dashboard/first-steps/proof-step.ts';
import type { ProofOrder } from '../../../src/dashboard/first-steps/queries.ts';
import type { OrderAlert as ProofAlert } from '../../../src/dashboard/payments/queries/orders.ts';
import { because } from '../../../src/texts/verdicts.ts';

const order = { order_id: 'ML-1', alert_id: null } as ProofOrder;
const signed = { signing_domain: 'hdfcbank.bank.in', recipient: null };
const addressed = { ...signed, recipient: 'shop@x.in' };

/** Each verdict, how many gates it has passed, and what the next one says. */
const cases: [Partial<ProofAlert>, passed: number, next: string | null][] = [
  [{ verdict: 'unjudged' }, 1, 'waiting'],
  [{ verdict: 'retrying' }, 1, 'waiting'],
  [{ verdict: 'forged' }, 1, 'failed'],
  [{ verdict: 'unreadable', signing_domain: null }, 1, 'failed'],
  [{ verdict: 'unreadable', ...signed }, 2, 'failed'],
  [{ verdict: 'wrong_recipient', ...signed }, 2, 'failed'],
  [{ verdict: 'unreadable', ...addressed }, 3, 'failed'],
  [{ verdict: 'not_a_credit', ...addressed }, 3, 'failed'],
  [{ verdict: 'wrong_account', ...addressed }, 4, 'failed'],
  [{ verdict: 'no_order', ...addressed }, 5, 'failed'],
  [{ verdict: 'too_late', ...addressed }, 5, 'failed'],
  [{ verdict: 'duplicate', ...addressed }, 5, 'failed'],
  [{ verdict: 'paid', ...addressed }, 6, null],
];

test('a proof that waits for the owner’s decision has failed no gate', () => {
  const reason = because('waits_trial', { order: 'ML-1' });
  const alert = { alert_id: 'a', verdict: 'no_order', ...addressed, reason } as ProofAlert;
  const last = proofChecks(order, [alert])[5];
  assert.deepEqual(last, { gate: 'matched', state: 'waiting', why: reason });
});

const why = because('body_changed');

test('each verdict turns the passed gates green, and says why the next one did not open', () => {
  for (const [change, passed, next] of cases) {
    const alert = { alert_id: 'a', reason: why, ...change } as ProofAlert;
    const checks = proofChecks(order, [alert]);
    assert.equal(checks.filter(check => check.state === 'done').length, passed, change.verdict);
    assert.ok(checks.slice(0, passed).every(check => check.state === 'done'));
    if (next === null) continue;
    assert.equal(checks[passed]?.state, next, change.verdict);
    assert.equal(checks[passed]?.why, why);
    assert.ok(checks.slice(passed + 1).every(check => check.state === 'waiting'));
  }
});

test('without an order or an alert every gate waits', () => {
  for (const checks of [proofChecks(null, []), proofChecks(order, [])])
    assert.deepEqual(
      checks,
      proofGates.map(gate => ({ gate, state: 'waiting', why: null })),
    );
});

test('the alert that paid counts, whatever else came later', () => {
  const paying = { alert_id: 'mine', verdict: 'paid', reason: null } as ProofAlert;
  const other = { alert_id: 'other', verdict: 'forged', reason: why } as ProofAlert;
  const checks = proofChecks({ ...order, alert_id: 'mine' }, [other, paying]);
  assert.ok(checks.every(check => check.state === 'done'));
});
