import assert from 'node:assert/strict';
import { type DrillOptions, runDrill } from '../../drills/faults/drill.ts';
import { faultKinds } from '../../drills/faults/faults.ts';
import { summaryOf } from '../../drills/faults/summary.ts';
import { minute, second } from '../../src/base/clock.ts';
import { needs } from '../support/needs.ts';

const { test } = needs('Dovecot');

const short: DrillOptions = {
  seed: 20261115,
  time: 2 * minute,
  // Each kind once, and the list is over.
  rounds: 1,
  plan: 'faults',
  faultEvery: 2 * second,
  longestFault: 3 * second,
  createsPerSecond: 3,
  say: () => {},
};

test('with every kind of fault once, each genuine payment is paid once, nothing else is, and every shop is notified', {
  timeout: 10 * minute,
}, async t => {
  const result = await runDrill(short);
  for (const line of summaryOf(short, result)) t.diagnostic(line);
  assert.deepEqual(result.violations, []);
  assert.equal(result.faults.byKind.size, faultKinds);
  // A drill in which nobody paid and nobody cheated would prove nothing.
  assert.ok(result.bank.paid.size > 5 && result.bank.sent.size > 3);
  assert.ok(result.shop.notified.size >= result.bank.paid.size);
});
