import assert from 'node:assert/strict';
import test from 'node:test';
import { judgeMail } from '../../../src/alerts/judging/judge-mail.ts';
import { alertCorpus, type Sample } from '../../support/alert-corpus.ts';
import { zone } from '../../support/signed-mail.ts';

const { credits, others } = alertCorpus();

function judge({ raw, bank, addresses, arrivedAt, dns }: Sample) {
  return judgeMail(raw, { banks: [bank], addresses, arrivedAt, now: arrivedAt, keys: zone(dns) });
}

test('every known credit wording, signed as its bank signs, is a credit of the right amount, except at closed banks', async () => {
  assert.ok(credits.length > 20);
  for (const sample of credits) {
    const { verdict, reason, facts } = await judge(sample);
    const right = sample.bank.closed === null ? 'credit' : 'not_a_credit';
    assert.equal(verdict, right, `${sample.name}: ${reason.code}`);
    assert.deepEqual([facts?.amount, facts?.reference], [sample.amount, sample.reference], sample.name);
  }
});

test('no other mail of a bank is a credit, even with a valid signature', async () => {
  for (const sample of others) {
    const { verdict } = await judge(sample);
    assert.ok(['not_a_credit', 'unreadable'].includes(verdict), `${sample.name}: ${verdict}`);
  }
});
