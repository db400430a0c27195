import assert from 'node:assert/strict';
import test from 'node:test';
import { sentence, testBank } from '../../support/alert-banks.ts';
import {
  expectVerdict,
  genuineLines,
  judge,
  linesWith,
  onTop,
  signedAlert,
} from '../../support/genuine-alert.ts';
import { mailKey, signatureLine, signMail } from '../../support/signed-mail.ts';

const body = `${sentence}\r\n`;
const _everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];

test('d= must be exactly one of the bank’s: suffixes, sub-domains, look-alikes and a trailing dot never pay', async () => {
  for (const domain of [
    'mail.test.bank.in',
    'bank.in',
    'test.bank.in.evil.in',
    'eviltest.bank.in',
    'test-bank.in',
    'xn--tst-bma.bank.in',
    'test.bank.in.',
    't\u00e9st.bank.in',
  ]) {
    const records = { [`s1._domainkey.${domain}`]: mailKey().record };
    const judgement = await judge(signedAlert(genuineLines, body, { domain }), { records });
    assert.ok(['forged', 'unreadable'].includes(judgement.verdict), `${domain}: ${judgement.verdict}`);
  }
  assert.equal((await judge(signedAlert(genuineLines, body, { domain: 'TEST.Bank.in' }))).verdict, 'credit');
});

test('the bank’s signature counts in any position; an attacker’s valid one above a broken one does not', async () => {
  const records = { 's1._domainkey.evil.in': mailKey(2048, 'evil').record };
  const evil = { domain: 'evil.in', key: mailKey(2048, 'evil') };
  const good = signedAlert();
  const both = onTop(good, signatureLine(genuineLines, body, evil));
  const judgement = await judge(both, { records });
  assert.equal(judgement.verdict, 'credit');
  assert.deepEqual(judgement.asked, ['s1._domainkey.test.bank.in']);

  const changed = linesWith({ To: 'merchant@shop.in, x@y.in' });
  const broken = Buffer.from(
    [
      signatureLine(changed, body, evil),
      signatureLine(genuineLines, body, { domain: 'test.bank.in' }),
      ...changed,
      '',
      body,
    ].join('\r\n'),
  );
  await expectVerdict(broken, 'forged', /changed on its way/, { records });
});

test('two thousand signatures are refused without DNS, and eight strangers’ cost no query besides the bank’s', async () => {
  const stranger = (i: number) => signatureLine(genuineLines, body, { domain: `d${i}.evil.in` });
  const flood = Array.from(
    { length: 2000 },
    () => 'DKIM-Signature: v=1; a=rsa-sha256; d=e.in; s=s; h=from; bh=; b=',
  );
  const bomb = await judge(Buffer.from([...flood, ...genuineLines, '', body].join('\r\n')));
  assert.equal(bomb.verdict, 'forged');
  assert.deepEqual(bomb.asked, []);

  const seven = Array.from({ length: 7 }, (_, i) => stranger(i));
  const raw = Buffer.concat([Buffer.from(`${seven.join('\r\n')}\r\n`), signedAlert()]);
  const judgement = await judge(raw);
  assert.equal(judgement.verdict, 'credit');
  assert.deepEqual(judgement.asked, ['s1._domainkey.test.bank.in']);
});

test('eight domains that could be the bank’s, and none that is, cost one query', async () => {
  const eight = Array.from({ length: 8 }, (_, i) =>
    signatureLine(genuineLines, body, { domain: `d${i}.test.bank.in` }),
  );
  const judgement = await judge(Buffer.from([...eight, ...genuineLines, '', body].join('\r\n')));
  assert.equal(judgement.verdict, 'forged');
  assert.equal(judgement.asked.length, 1);
});

test('a listed sender with a valid signature of an unlisted domain is kept, with that domain named, and not paid', async () => {
  const lines = signatureLine(genuineLines, body, { domain: 'esp.example' });
  const moved = onTop(signedAlert(genuineLines, body, { domain: 'new.bank.in' }), lines);
  const records = {
    's1._domainkey.new.bank.in': mailKey().record,
    's1._domainkey.esp.example': mailKey().record,
  };
  const judgement = await expectVerdict(moved, 'unreadable', /new\.bank\.in/, { records });
  assert.equal(judgement.unlistedDomain, 'new.bank.in');
  assert.equal(judgement.facts, null);
});

test("an unlisted domain is plausibly the bank's by its registered name, below a listed one or under .bank.in", async () => {
  const bank = testBank({ signingDomains: ['alerts.tezbank.co.in'] });
  for (const domain of [
    'tezbank.bank.in',
    'tezbank.com',
    'mail.tezbank.net',
    'tezbank.co.in',
    'x.alerts.tezbank.co.in',
    'tez.bank.in',
  ]) {
    const records = { [`s1._domainkey.${domain}`]: mailKey().record };
    const raw = signedAlert(genuineLines, body, { domain });
    const judgement = await expectVerdict(raw, 'unreadable', /not known as a signing domain/, {
      bank,
      records,
    });
    assert.equal(judgement.unlistedDomain, domain);
  }
});

test("an unrelated domain's signature in a bank's name is a forgery, not a bank that moved, and costs no question", async () => {
  const bank = testBank({ signingDomains: ['alerts.tezbank.co.in'] });
  for (const domain of [
    'esp.example',
    'tezbank.esp.example',
    'alerts.co.in',
    'other.co.in',
    'tezbankalerts.com',
    'alerts.com',
    'tezbank.co.in.evil.in',
    'bank.in',
    'bank.in.evil.in',
  ]) {
    const records = { [`s1._domainkey.${domain}`]: mailKey().record };
    const raw = signedAlert(genuineLines, body, { domain });
    const judgement = await expectVerdict(raw, 'forged', /not signed by the bank/, { bank, records });
    assert.equal(judgement.unlistedDomain, null);
    assert.deepEqual(judgement.asked, [], domain);
  }
});

test('an unlisted domain whose key is missing, failing or wrong is a forgery and never retried', async () => {
  const raw = signedAlert(genuineLines, body, { domain: 'new.bank.in' });
  const name = 's1._domainkey.new.bank.in';
  for (const answer of [{ kind: 'not_found' }, { kind: 'temporary' }, mailKey(2048, 'evil').record] as const)
    await expectVerdict(raw, 'forged', /new\.bank\.in/, { records: { [name]: answer } });
});

test('a mail without any signature, or with an unreadable one, is forged', async () => {
  const unsigned = Buffer.from([...genuineLines, '', body].join('\r\n'));
  await expectVerdict(unsigned, 'forged', /no signature/);
  for (const line of [
    'DKIM-Signature: v=1; d=test.bank.in',
    'DKIM-Signature: x',
    'DKIM-Signature: v=1; v=1; d=test.bank.in',
  ])
    await expectVerdict(onTop(unsigned, line), 'forged', /no signature/);
});

test('a repeated tag makes a signature void', async () => {
  const raw = signedAlert(genuineLines, body, { tags: ['d=evil.in'] });
  await expectVerdict(raw, 'forged', /no signature/);
});

test('Authentication-Results and ARC prove nothing', async () => {
  const unsigned = Buffer.from([...genuineLines, '', body].join('\r\n'));
  const claims = onTop(unsigned, 'Authentication-Results: mx.google.com; dkim=pass header.i=@test.bank.in');
  const arc = signatureLine(genuineLines, body, { domain: 'test.bank.in' }).replace(
    'DKIM-Signature: v=1',
    'ARC-Message-Signature: i=1',
  );
  await expectVerdict(onTop(claims, arc), 'forged', /no signature/);
});

test('one mail with two signatures of the bank names both, whichever comes first', async () => {
  const second = signatureLine(genuineLines, body, { domain: 'test.bank.in', selector: 's2' });
  const records = { 's2._domainkey.test.bank.in': mailKey().record };
  const one = await judge(onTop(signedAlert(), second), { records });
  const raw = signedAlert().toString('latin1').split('\r\n');
  const two = await judge(Buffer.from([raw[0], second, ...raw.slice(1)].join('\r\n'), 'latin1'), { records });
  assert.equal(one.verdict, 'credit');
  assert.equal(one.signatureId, two.signatureId);
  assert.equal(one.otherSignatureIds.length, 1);
});

test('an unknown sender is nobody, and a sender that can be read twice is forged', async () => {
  const from = (value: string) => signMail(linesWith({ From: value }), body, { domain: 'test.bank.in' });
  await expectVerdict(from('alerts@test.bank.in.evil.in'), 'unreadable', /not a known sender/);
  await expectVerdict(from('"alerts@test.bank.in" <x@evil.in>'), 'unreadable', /not a known sender/);
  await expectVerdict(from('alerts@test.bank.in, x@evil.in'), 'forged', /one clear sender/);
  await expectVerdict(from('alerts@test.bank.in (x)'), 'forged', /one clear sender/);
});
