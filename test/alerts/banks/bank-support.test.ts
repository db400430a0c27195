import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import {
  canConfirm,
  payingTemplates,
  supportOf,
  trustOf,
  whyNot,
} from '../../../src/alerts/banks/bank-support.ts';
import { extendBanks, loadBanks } from '../../../src/alerts/banks/load-banks.ts';

const folder = mkdtempSync(join(tmpdir(), 'milaan-support-'));
after(() => rmSync(folder, { recursive: true }));

function load(...entries: object[]) {
  const path = join(folder, 'banks.json');
  writeFileSync(path, JSON.stringify(entries));
  return loadBanks(path);
}

function supportFor(id: string, ...entries: object[]) {
  const bank = (entries.length > 0 ? load(...entries) : loadBanks(null)).find(one => one.id === id)!;
  return { support: supportOf(bank), why: whyNot(bank), canConfirm: canConfirm(bank) };
}

const wording = {
  id: 'own-upi',
  channel: 'upi',
  subject: 'Credit alert',
  body: 'INR {amount} credited to your account {account} with UPI reference {reference}',
};
const senders = { senders: ['alerts@village.bank.in'], signing_domains: ['village.bank.in'] };

test('a bank is confirmed only if its UPI mails and their wording were seen', () => {
  for (const id of ['hdfc', 'axis', 'canara', 'idfc-first', 'slice', 'nkgsb'])
    assert.deepEqual(supportFor(id), { support: 'confirmed', why: null, canConfirm: true }, id);
  // Wordings of these were seen, but in no mail about UPI money. Kotak's UPI wordings are on trial, its IMPS one not.
  for (const id of ['sbi', 'jana', 'kotak']) assert.equal(supportFor(id).support, 'unconfirmed', id);
  for (const id of ['equitas', 'indusind', 'south-indian', 'federal'])
    assert.deepEqual(supportFor(id), { support: 'unconfirmed', why: null, canConfirm: true }, id);
});

test('a bank that sends no such mail, or from an unknown address, is unreadable, and its entry says why', () => {
  assert.deepEqual(supportFor('icici'), { support: 'cannot', why: 'no_upi_mail', canConfirm: false });
  assert.deepEqual(supportFor('pnb'), { support: 'cannot', why: 'sms_only', canConfirm: false });
  assert.deepEqual(supportFor('bank-of-baroda'), { support: 'cannot', why: 'no_sender', canConfirm: false });
  const nameless = { id: 'village', name: 'Village Bank', templates: [wording] };
  assert.deepEqual(supportFor('village', nameless), {
    support: 'cannot',
    why: 'no_sender',
    canConfirm: false,
  });
});

test('a bank without a wording for UPI money is not known yet, and a closed one is closed', () => {
  for (const id of ['city-union', 'union', 'indian'])
    assert.deepEqual(supportFor(id), { support: 'unknown', why: null, canConfirm: false }, id);
  for (const id of ['citi', 'paytm'])
    assert.deepEqual(supportFor(id), { support: 'closed', why: null, canConfirm: false }, id);
});

test('an operator’s wording and sender count for more than those in the files', () => {
  assert.equal(supportFor('icici', { id: 'icici', templates: [wording] }).support, 'confirmed');
  assert.equal(supportFor('bank-of-baroda', { id: 'bank-of-baroda', ...senders }).support, 'unconfirmed');
  const indian = { id: 'indian', part: 'text', ...senders, templates: [wording] };
  assert.deepEqual(supportFor('indian', indian), { support: 'confirmed', why: null, canConfirm: true });
  assert.equal(load(indian).find(bank => bank.id === 'indian')?.name, 'Indian Bank');
});

const trustsOf = (bank: Bank) => payingTemplates(bank).map(template => trustOf(bank, template));

test('a seen wording pays, a described one is on trial, and a bank whose mails need review never pays', () => {
  const of = (id: string, ...entries: object[]) =>
    trustsOf((entries.length > 0 ? load(...entries) : loadBanks(null)).find(one => one.id === id)!);
  assert.equal(of('hdfc')[0], 'confirmed');
  assert.deepEqual(new Set(of('equitas')), new Set(['trial']));
  const flagged = { ...wording, unconfirmed: true };
  assert.deepEqual(of('village', { id: 'village', name: 'Village', ...senders, templates: [wording] }), [
    'confirmed',
  ]);
  assert.deepEqual(of('village', { id: 'village', name: 'Village', ...senders, templates: [flagged] }), [
    'trial',
  ]);
  assert.deepEqual(of('rbl', { id: 'rbl', templates: [wording] }), ['review_only']);
  assert.deepEqual(of('rbl', { id: 'rbl', review_only: false, templates: [wording] }), ['confirmed']);
  assert.ok(of('hdfc', { id: 'hdfc', review_only: true }).every(trust => trust === 'review_only'));
});

test('a wording that this installation learnt is on trial, and does not make its bank one of the files', () => {
  const known = loadBanks(null);
  const hdfc = known.find(one => one.id === 'hdfc')!;
  const { banks } = extendBanks(known, [{ entry_id: null, entry: { id: 'hdfc', templates: [wording] } }]);
  const learnt = banks.find(one => one.id === 'hdfc')!;
  assert.deepEqual(trustsOf(learnt), [...trustsOf(hdfc), 'trial']);
  assert.equal(supportOf(learnt), 'confirmed');
});

test('a saved entry whose opening is refused keeps its wording and its senders, and is reported', () => {
  const entry = { id: 'hdfc', ...senders, openings: ['Message from'], templates: [wording] };
  const own = (one: object) => {
    const { banks, skipped } = extendBanks(loadBanks(null), [{ entry_id: 7, entry: one }]);
    const { templates, openings, senders: known } = banks.find(bank => bank.id === 'hdfc')!;
    return [skipped.map(({ entryId }) => entryId), templates.length, known.length, openings.length];
  };
  const [, wordings, addresses, openings] = own(entry) as number[];
  const refused = own({ ...entry, openings: ['Message from ━', 'Message from', 'You paid {payer_name}'] });
  assert.deepEqual(refused, [[7], wordings, addresses, openings]);
  const newer = { entry_id: 9, entry: { ...entry, senders: ['new@hdfcbank.net'] } };
  const older = { entry_id: 7, entry: { ...entry, openings: ['Message from ━'] } };
  const replaced = extendBanks(loadBanks(null), [older, newer]);
  assert.ok(replaced.banks.find(bank => bank.id === 'hdfc')!.senders.includes('new@hdfcbank.net'));
  assert.deepEqual(
    replaced.skipped.map(({ entryId, isUsed }) => [entryId, isUsed]),
    [[7, false]],
  );
  const line = extendBanks(loadBanks(null), [{ entry_id: 7, entry: { id: 'hdfc', openings: ['Note -'] } }]);
  assert.deepEqual(
    line.skipped.map(({ error, isUsed }) => [/somebody else’s words/.test(error.message), isUsed]),
    [[true, false]],
  );
});

test('a line that the operator listed for a bank known by name stays in force after senders are saved', () => {
  const line = { entry_id: 9, entry: { id: 'indian', openings: ['Your payer left a message'] } };
  const learnt = { id: 'indian', ...senders, templates: [wording] };
  const older = { entry_id: 7, entry: { ...learnt, openings: ['Transaction alert -'] } };
  const redrawn = { entry_id: 11, entry: learnt };
  const of = (...saved: { entry_id: number; entry: object }[]) =>
    extendBanks(loadBanks(null), saved).banks.find(one => one.id === 'indian')!;
  for (const bank of [of(older, line), of(line, redrawn)]) {
    assert.deepEqual(bank.senders, of(redrawn).senders);
    assert.equal(bank.openings.length, of(redrawn).openings.length + 1);
    assert.equal(bank.listed.length, 1);
  }
});

test('a bank known by name stays closed and review-only, and its other senders pay nothing, in later entries', () => {
  const named = { id: 'village', name: 'Village', review_only: true, closed: 'merged', account_digits: 2 };
  const first = { ...named, never_pays: ['offers@village.bank.in'] };
  const later = { id: 'village', ...senders, templates: [wording] };
  const saved = extendBanks(load(first), [{ entry_id: 7, entry: later }]);
  assert.deepEqual(saved.skipped, []);
  for (const banks of [saved.banks, load(first, later)]) {
    const bank = banks.find(one => one.id === 'village')!;
    assert.deepEqual([bank.closed, bank.accountDigits, supportOf(bank)], ['merged', 2, 'closed']);
    assert.deepEqual([bank.neverPays, trustsOf(bank)], [first.never_pays, ['review_only']]);
    assert.ok(bank.senders.length > 0);
  }
  const paytm = extendBanks(loadBanks(null), [{ entry_id: 7, entry: { ...later, id: 'paytm' } }]).banks;
  assert.equal(supportOf(paytm.find(one => one.id === 'paytm')!), 'closed');
});

test('a bank known only by name is read like any other after an entry for it is saved', () => {
  const indian = { id: 'indian', ...senders, templates: [wording] };
  const { banks, skipped } = extendBanks(loadBanks(null), [{ entry_id: null, entry: indian }]);
  const bank = banks.find(one => one.id === 'indian')!;
  const hdfc = banks.find(one => one.id === 'hdfc')!;
  assert.deepEqual(skipped, []);
  assert.equal(supportOf(bank), 'unconfirmed');
  assert.deepEqual([bank.closed, trustsOf(bank)], [null, ['trial']]);
  assert.deepEqual(bank.greetings, hdfc.greetings);
  assert.ok(bank.openings.length > 0 && bank.negatives.length > 0);
});

test('an unknown reason is refused with its line', () => {
  assert.throws(
    () => load({ id: 'village', name: 'Village Bank', cannot: 'dislikes us' }),
    /line 1: "cannot" must be/,
  );
});
