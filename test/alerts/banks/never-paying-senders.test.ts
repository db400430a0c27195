import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neverPays } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { testBank } from '../../support/alert-banks.ts';
import { expectVerdict, signedAlert } from '../../support/genuine-alert.ts';

test('a bank’s address for other mails pays nothing, even for a signed mail with an alert’s wording', async () => {
  for (const one of ['alerts@test.bank.in', '@test.bank.in'])
    await expectVerdict(signedAlert(), 'not_a_credit', /sends no alerts of payments/, {
      bank: testBank({ neverPays: [one] }),
    });
  await expectVerdict(signedAlert(), 'credit', /money has arrived/, {
    bank: testBank({ neverPays: ['@other.test.bank.in', 'offers@test.bank.in'] }),
  });
});

test('the known non-alert addresses of Axis, Kotak and SBI are in their entries, also under .bank.in', () => {
  const banks = loadBanks(null);
  const asked = (id: string, sender: string) => neverPays(banks.find(bank => bank.id === id)!, sender);
  for (const [id, sender] of [
    ['axis', 'offers@alerts.axisbankmail.bank.in'],
    ['axis', 'noreply@digital.axisbankmail.bank.in'],
    ['kotak', 'alerts@mail.kotakalert.bank.in'],
    ['sbi', 'yonobysbi@alerts.sbi.bank.in'],
    ['sbi', 'SBIquick@alerts.sbi.bank.in'],
    ['sbi', 'cbssbi.info@alerts.sbi.bank.in'],
  ] as const)
    assert.equal(asked(id, sender), true, sender);
  assert.equal(asked('axis', 'alerts@axis.bank.in'), false);
  assert.equal(asked('sbi', 'cbsalerts.sbi@alerts.sbi.bank.in'), false);
});
