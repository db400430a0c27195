import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Bank, findBank } from '../../../src/alerts/banks/bank.ts';
import { printedDigits } from '../../../src/alerts/banks/bank-support.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { readWording } from '../../../src/alerts/reading/read-wording.ts';
import { because } from '../../../src/texts/verdicts.ts';

const folder = mkdtempSync(join(tmpdir(), 'milaan-banks-'));
after(() => rmSync(folder, { recursive: true }));

function load(text: string) {
  const path = join(folder, 'banks.json');
  writeFileSync(path, text);
  return loadBanks(path);
}

const wording = {
  id: 'upi',
  channel: 'upi',
  subject: 'Credit alert',
  body: 'INR {amount} credited to your account {account} from {payer_name} with UPI reference {reference}',
};
const village = {
  id: 'village',
  name: 'Village Bank',
  senders: ['Alerts@Village.bank.in'],
  signing_domains: ['village.bank.in'],
  templates: [wording],
};
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** Each complaint with the 1-based line of the two-space pretty form that it must name. */
const broken: [claim: string, file: string, complaint: RegExp][] = [
  [
    'any subject for a confirmed wording',
    pretty({ ...village, templates: [{ ...wording, subject: '{any}' }] }),
    /line 14: template "upi" may have \{any\} only while unconfirmed/,
  ],
  [
    "an opening with a payer's text",
    pretty({ ...village, openings: ['You paid {payer_name}'] }),
    /line 19: an opening may not have \{payer_name\}/,
  ],
  [
    'an opening without words',
    pretty({ ...village, openings: ['{token}'] }),
    /line 19: an opening has no words/,
  ],
  [
    'an opening that announces somebody else’s words',
    pretty({ ...village, openings: ['Message from your payer:'] }),
    /line 19: an opening ends as if somebody else’s words followed/,
  ],
  [
    'a greeted customer in a wording',
    pretty({ ...village, templates: [{ ...wording, body: 'Hi {customer}, INR {amount} received' }] }),
    /line 15: the body of template "upi" has \{customer\}/,
  ],
  ['a missing comma', '{\n  "id": "x"\n  "name": "X"\n}', /line 3: expected "," or "}"/],
  ['an open text', '{\n  "id": "x\n}', /line 2: a text in double quotes does not end on its line/],
  ['text after the end', '{}\n\n{}', /line 3: there is text after the end/],
  ['an empty file', '', /line 1: the file ends too early/],
  [
    'a field that does not exist',
    '{\n  "id": "village",\n  "sender": []\n}',
    /line 3: a bank has no field "sender"/,
  ],
  ['a field given twice', '{\n  "id": "a1",\n  "id": "b1"\n}', /line 3: has the field "id" twice/],
  [
    'a bank without a name',
    pretty({ ...village, name: undefined }),
    /line 1: the new bank "village" needs the field "name"/,
  ],
  [
    'a wild-card sender',
    pretty({ ...village, senders: ['*@village.bank.in'] }),
    /line 5: "\*@village\.bank\.in" is not an exact address/,
  ],
  [
    'a sender without signing domains',
    pretty({ ...village, signing_domains: [] }),
    /line 1: .*no "signing_domains"/,
  ],
  [
    'a bad domain',
    pretty({ ...village, signing_domains: ['.bank.in'] }),
    /line 8: "\.bank\.in" is not an exact domain/,
  ],
  [
    'a carrier as signer',
    pretty({ ...village, signing_domains: ['aclmobile.net'] }),
    /line 8: "aclmobile\.net" signs for many/,
  ],
  [
    "another bank's sender",
    pretty({ ...village, senders: ['alerts@hdfcbank.net'] }),
    /line 5: the sender alerts@hdfcbank\.net belongs to the bank "hdfc"/,
  ],
  [
    'a part of a digit',
    pretty({ ...village, account_digits: 2.5 }),
    /line 18: "account_digits" must be a whole number from 0 to 6/,
  ],
  [
    'an unknown channel',
    template({ channel: 'card' }),
    /line 13: "channel" must be one of upi, imps, any, other/,
  ],
  [
    'an unknown slot',
    template({ body: 'INR {amont} credited' }),
    /line 15: the body of template "upi" has an unknown slot \{amont\}/,
  ],
  ['no amount', template({ body: 'money was credited to {account}' }), /line 15: .*has no \{amount\}/],
  [
    'an amount that may be missing',
    template({ body: 'credited[ with INR {amount}]' }),
    /line 15: .*optional part/,
  ],
  [
    'a payer slot at the beginning',
    template({ body: '{payer_name} credited INR {amount}' }),
    /line 15: .*begins with \{payer_name\}/,
  ],
  [
    'a payer before the amount',
    template({ body: 'credited by {payer_name} with INR {amount} now' }),
    /line 15: .*\{payer_name\} before \{amount\}/,
  ],
  [
    'two slots side by side',
    template({ body: 'credited INR {amount}{account}' }),
    /line 15: .*no fixed words between \{amount\} and \{account\}/,
  ],
  [
    'a slot used twice',
    template({ body: 'credited INR {amount} or {amount}' }),
    /line 15: .*has \{amount\} twice/,
  ],
  [
    'a reference led by nothing',
    template({ body: 'credited INR {amount} by {payer_name} / {reference}' }),
    /line 15: .*too few fixed words/,
  ],
  [
    'no word of money coming in',
    template({ body: 'your INR {amount} is here' }),
    /line 15: .*does not say in its fixed words/,
  ],
  [
    'a debit',
    template({ body: 'INR {amount} debited from A and credited to B' }),
    /line 15: .*says "debited"/,
  ],
  [
    'a brace without its partner',
    template({ body: 'credited INR {amount' }),
    /line 15: .*has a "\{" without its partner/,
  ],
  [
    'a bracket without its partner',
    template({ body: 'credited INR {amount} [now' }),
    /line 15: .*has a "\[" without/,
  ],
  [
    'a payer in the subject',
    template({ subject: 'Paid by {payer_name}' }),
    /line 14: a subject of template "upi" may not have \{payer_name\}/,
  ],
  [
    'other_channel in a paying template',
    template({ body: 'credited INR {amount} by {other_channel}' }),
    /line 15: .*channel is not "other"/,
  ],
  [
    'the same template twice',
    pretty({ ...village, templates: [wording, wording] }),
    /line 17: .*has a template "upi" already/,
  ],
  [
    'an extension that would change the MIME shape',
    '{\n"id": "hdfc", "part": "text" }',
    /line 1: "part" of the known bank "hdfc" cannot be changed/,
  ],
  [
    'a negative that says nothing',
    '{ "id": "hdfc", "negatives": [\n{ "reason": "x" }] }',
    /line 2: a negative needs/,
  ],
  [
    'a reason that is neither one of ours nor a sentence',
    '{ "id": "hdfc", "negatives": [\n{ "body": "x", "reason": "debits" }] }',
    /line 2: "reason" must be one of .*debit, .*or a sentence/,
  ],
];

function template(change: object): string {
  return pretty({ ...village, templates: [{ ...wording, ...change }] });
}

describe('BANKS_FILE', () => {
  it('adds a bank, which is found by its sender and read', () => {
    const banks = load(pretty([village]));
    const bank = findBank(banks, 'ALERTS@village.bank.in');
    assert.ok(bank);
    const text = 'INR 12.34 credited to your account XX77 from A B with UPI reference 123456789012';
    const reading = readWording(bank, { subject: 'Credit alert', text });
    assert.equal(reading.outcome, 'credit');
    assert.equal(reading.facts.amount, 1234);
    assert.equal(reading.facts.accountDigits, '77');
  });

  it('adds a sender, a signing domain, a template and a negative to a known bank and removes nothing', () => {
    const before = loadBanks(null).find(bank => bank.id === 'hdfc')!;
    const after = load(
      pretty({
        id: 'hdfc',
        senders: ['new@hdfcbank.bank.in', 'alerts@hdfcbank.net'],
        signing_domains: ['new.hdfcbank.bank.in'],
        templates: [{ ...wording, id: 'new-upi', unconfirmed: true }],
        negatives: [{ body: 'free holiday', reason: 'A mail about holidays.' }],
      }),
    ).find(bank => bank.id === 'hdfc')!;
    assert.deepEqual(after.senders, [...before.senders, 'new@hdfcbank.bank.in']);
    assert.deepEqual(after.signingDomains, [...before.signingDomains, 'new.hdfcbank.bank.in']);
    assert.deepEqual(
      after.templates.map(one => one.id),
      [...before.templates.map(one => one.id), 'new-upi'],
    );
    assert.equal(after.templates.at(-1)?.unconfirmed, true);
    assert.equal(after.negatives.length, before.negatives.length + 1);
    const own = after.negatives.filter(({ reason }) => reason.code === 'quoted');
    assert.deepEqual(
      own.map(({ reason }) => reason),
      [because('quoted', { sentence: 'A mail about holidays.' })],
    );
  });

  it('says how many digits of the account a bank prints, and that a bank was removed', () => {
    const digits = (banks: readonly Bank[], id: string) => printedDigits(banks.find(bank => bank.id === id)!);
    const builtIn = loadBanks(null);
    assert.deepEqual(
      ['hdfc', 'kotak', 'sbi', 'nkgsb', 'city-union', 'equitas'].map(id => digits(builtIn, id)),
      [4, 4, 6, 3, 2, 0],
    );
    assert.deepEqual(
      builtIn.filter(bank => bank.closed !== null).map(bank => bank.id),
      ['citi', 'paytm'],
    );
    const loaded = load(
      pretty([village, { id: 'kotak', account_digits: 6 }, { id: 'dcb', closed: 'merged in 2027' }]),
    );
    assert.deepEqual([digits(loaded, 'village'), digits(loaded, 'kotak')], [4, 6]);
    assert.equal(loaded.find(bank => bank.id === 'dcb')?.closed, 'merged in 2027');
  });

  it('adds an opening to a known bank, which keeps the greetings and openings that all banks share', () => {
    const opening = 'From all of us at the branch';
    const text = `Dear Customer,\n${opening}\nRs. 1.00 is successfully credited to your account **5521 by VPA a@bc on 03-11-26. Your UPI transaction reference number is 630711223346.`;
    const subject = 'View: Account update for your HDFC Bank A/c';
    const outcome = (banks: ReturnType<typeof load>) =>
      readWording(banks.find(bank => bank.id === 'hdfc')!, { subject, text }).outcome;
    assert.equal(outcome(loadBanks(null)), 'unreadable');
    const banks = load(pretty([{ id: 'hdfc', openings: [opening] }, village]));
    assert.equal(outcome(banks), 'credit');
    for (const bank of banks) assert.ok(bank.greetings.length > 0 && bank.openings.length > 5, bank.id);
  });

  it('lets a long wording be written over several lines of the file', () => {
    const body = ['INR {amount} credited to your account {account}', 'with UPI reference {reference}'];
    const bank = findBank(load(template({ body })), 'alerts@village.bank.in')!;
    const text = 'INR 1 credited to your account XX77 with UPI reference 123456789012';
    assert.equal(readWording(bank, { subject: 'Credit alert', text }).outcome, 'credit');
  });

  it('accepts the example of its manual', () => {
    const manual = readFileSync(join(import.meta.dirname, '../../../docs/adding-a-bank.md'), 'utf8');
    const example = /```json\n([\s\S]*?)```/.exec(manual)![1]!;
    // Who tries the page may have made its example a shipped bank.
    const banks = load(example.replaceAll('riverside', 'other'));
    assert.equal(findBank(banks, 'newalerts@hdfcbank.bank.in')?.id, 'hdfc');
    assert.equal(findBank(banks, 'alerts@other.bank.in')?.id, 'other');
  });

  for (const [claim, file, complaint] of broken)
    it(`is refused with the line for ${claim}`, () => {
      assert.throws(
        () => load(file),
        (error: Error) => {
          assert.match(error.message, complaint);
          assert.ok(error.message.includes('banks.json, line '), error.message);
          return true;
        },
      );
    });
});
