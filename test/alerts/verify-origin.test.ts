import assert from 'node:assert/strict';
import test from 'node:test';
import { later, minute, second } from '../../src/clock.ts';
import { sentence, testBank } from '../support/alert-banks.ts';
import {
  altered,
  genuineLines,
  judge,
  linesWith,
  noon,
  noonSeconds,
  onTop,
  signedAlert,
} from '../support/genuine-alert.ts';
import { ed25519Key, mailKey, signatureLine, signMail } from '../support/signed-mail.ts';

const body = `${sentence}\r\n`;
const everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];

async function expectVerdict(raw: Buffer, verdict: string, reason: RegExp, options = {}) {
  const judgement = await judge(raw, options);
  assert.equal(judgement.verdict, verdict, judgement.reason);
  assert.match(judgement.reason, reason);
  return judgement;
}

test('a genuine alert is a credit, with its facts, its time, its signer and its recipient', async () => {
  const judgement = await judge(signedAlert());
  assert.equal(judgement.verdict, 'credit', judgement.reason);
  assert.equal(judgement.facts?.amount, 50037);
  assert.equal(judgement.facts?.reference, '612345678901');
  assert.equal(judgement.alertTime?.toISOString(), '2026-06-02T06:29:50.000Z');
  assert.equal(judgement.signingDomain, 'test.bank.in');
  assert.equal(judgement.selector, 's1');
  assert.equal(judgement.recipient, 'merchant@shop.in');
  assert.equal(judgement.key?.record, mailKey().record);
  assert.deepEqual(judgement.asked, ['s1._domainkey.test.bank.in']);
});

for (const canon of ['relaxed/relaxed', 'relaxed/simple', 'simple/relaxed', 'simple/simple'])
  test(`a genuine alert signed ${canon} is a credit`, async () => {
    const folded = linesWith({ Subject: 'Account\r\n update', To: 'The Shop\r\n\t<merchant@shop.in>' });
    assert.equal((await judge(signedAlert(folded, body, { canon }))).verdict, 'credit');
  });

test('an alert signed with Ed25519 is a credit', async () => {
  const key = ed25519Key();
  const records = { 's1._domainkey.test.bank.in': key.record };
  assert.equal((await judge(signedAlert(genuineLines, body, { key }), { records })).verdict, 'credit');
});

test('l= with text appended, l= of the whole body and l=0 with the body replaced are forged, and DNS is not asked', async () => {
  for (const [tag, sent] of [
    [`l=${body.length}`, body],
    [`l=${body.length}`, `${body}Rs.9,999.00 is credited\r\n`],
    ['l=0', body],
  ] as const) {
    const raw = altered(
      signedAlert(genuineLines, body, { tags: [tag] }),
      body,
      sent === body ? `${body}\r\n` : sent,
    );
    const { asked } = await expectVerdict(raw, 'forged', /only a part of the body/);
    assert.deepEqual(asked, []);
  }
});

for (const line of [
  'To: merchant@shop.in',
  'Cc: merchant@shop.in',
  'From: Other <alerts@test.bank.in>',
  'Date: Tue, 02 Jun 2026 12:30:00 +0530',
  'Subject: Account update',
])
  test(`a second ${line.split(':')[0]} put on top of a genuine alert to somebody else is forged`, async () => {
    const lines = linesWith({ To: 'attacker@x.in', Cc: 'attacker@y.in' });
    const raw = signedAlert(lines, body);
    assert.equal((await judge(raw)).verdict, 'wrong_recipient');
    await expectVerdict(onTop(raw, line), 'forged', /more than one/);
  });

test('a To or Cc that the signature does not cover is forged', async () => {
  const names = everything.filter(name => name !== 'to');
  await expectVerdict(signedAlert(genuineLines, body, { names }), 'forged', /does not cover the To/);
  const unsignedCc = everything.filter(name => name !== 'cc');
  const raw = signedAlert(linesWith({ To: 'attacker@x.in' }), body, { names: unsignedCc });
  await expectVerdict(onTop(raw, 'Cc: merchant@shop.in'), 'forged', /does not cover the Cc/);
});

test('a Date, sender, subject or body encoding that the signature does not cover is forged', async () => {
  const without = (name: string) => ({ names: everything.filter(one => one !== name) });
  await expectVerdict(signedAlert(genuineLines, body, without('date')), 'forged', /does not cover the Date/);
  await expectVerdict(signedAlert(genuineLines, body, without('from')), 'forged', /cover the sender/);
  await expectVerdict(signedAlert(genuineLines, body, without('subject')), 'forged', /sender and subject/);
  await expectVerdict(
    signedAlert(genuineLines, body, without('content-type')),
    'forged',
    /how the body is encoded/,
  );
  const raw = onTop(signedAlert(), 'Content-Transfer-Encoding: quoted-printable');
  await expectVerdict(raw, 'forged', /how the body is encoded/);
});

test('over-signed headers, which catch any addition, verify', async () => {
  const names = [...everything, ...everything];
  assert.equal((await judge(signedAlert(genuineLines, body, { names }))).verdict, 'credit');
});

test('a changed body, amount, subject, sender, recipient or date is forged', async () => {
  const raw = signedAlert();
  for (const [from, to] of [
    ['Rs.500.37', 'Rs.900.37'],
    ['Thank you.', 'Thank you. '],
    ['Subject: Account', 'Subject: account'],
    ['From: Test', 'From: Best'],
    ['To: merchant@', 'To: Merchant@'],
    ['11:59:50', '11:59:51'],
    ['charset=utf-8', 'charset=utf-9'],
  ] as const) {
    const simple = signedAlert(genuineLines, body, { canon: 'simple/simple' });
    await expectVerdict(
      altered(from.endsWith(' ') || to.endsWith(' ') ? simple : raw, from, to),
      'forged',
      /./,
    );
  }
});

test('keys of 512 and 768 bits are refused and one of 1024 is not', async () => {
  for (const [bits, verdict] of [
    [512, 'forged'],
    [768, 'forged'],
    [1024, 'credit'],
  ] as const) {
    const key = mailKey(bits);
    const records = { 's1._domainkey.test.bank.in': key.record };
    await expectVerdict(signedAlert(genuineLines, body, { key }), verdict, /too short|arrived/, { records });
  }
});

test('rsa-sha1 is forged', async () => {
  await expectVerdict(signedAlert(genuineLines, body, { algorithm: 'rsa-sha1' }), 'forged', /not safe/);
});

test('a key for testing only (t=y), one for another service and a withdrawn one are refused', async () => {
  const name = 's1._domainkey.test.bank.in';
  const publishing = (record: string) => ({ records: { [name]: record } });
  const { record } = mailKey();
  await expectVerdict(signedAlert(), 'forged', /testing/, publishing(record.replace('k=rsa', 'k=rsa; t=y')));
  await expectVerdict(
    signedAlert(),
    'forged',
    /key not for email/,
    publishing(record.replace('k=rsa', 's=web')),
  );
  await expectVerdict(signedAlert(), 'forged', /withdrawn/, publishing('v=DKIM1; k=rsa; p='));
  await expectVerdict(signedAlert(), 'forged', /is not valid/, publishing(mailKey(2048, 'other').record));
});

test('i= of a foreign domain, or of a neighbour that only ends alike, is forged; one below the domain is not', async () => {
  const withIdentity = (i: string) => signedAlert(genuineLines, body, { tags: [`i=${i}`] });
  for (const i of ['@evil.in', 'x@eviltest.bank.in', '@bank.in', 'test.bank.in'])
    await expectVerdict(withIdentity(i), 'forged', /other than its own/);
  assert.equal((await judge(withIdentity('alerts@mail.test.bank.in'))).verdict, 'credit');
});

test('t= may be five minutes ahead of the arrival and not a second more', async () => {
  const signedAt = (seconds: number) => signedAlert(genuineLines, body, { tags: [`t=${seconds}`] });
  assert.equal((await judge(signedAt(noonSeconds + 300))).verdict, 'credit');
  await expectVerdict(signedAt(noonSeconds + 301), 'forged', /after the mail arrived/);
});

test('x= past at arrival is forged; past only since then is kept for a person and not paid', async () => {
  const expiring = (seconds: number) =>
    signedAlert(genuineLines, body, { tags: ['t=1700000000', `x=${seconds}`] });
  const dated = linesWith({ Date: 'Tue, 14 Nov 2023 22:13:20 +0000' });
  await expectVerdict(expiring(noonSeconds - 1), 'forged', /expired before/);
  const raw = signedAlert(dated, body, { tags: ['t=1700000000', `x=${noonSeconds + 60}`] });
  assert.equal((await judge(raw)).verdict, 'credit');
  await expectVerdict(raw, 'unreadable', /expired since/, { now: later(noon, 61 * second) });
});

test('d= must be one of the bank, to the letter: suffixes, sub-domains, look-alikes and a trailing dot never pay', async () => {
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

test("the bank's signature counts wherever it stands; a valid one of the attacker above a broken one does not", async () => {
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
  await expectVerdict(broken, 'forged', /not valid/, { records });
});

test('two thousand signatures are refused before DNS is asked, and eight strangers cost no question beside the bank', async () => {
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

test('eight strangers and no bank cost one question', async () => {
  const eight = Array.from({ length: 8 }, (_, i) =>
    signatureLine(genuineLines, body, { domain: `d${i}.evil.in` }),
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
  const anywhere = signedAlert(genuineLines, body, { domain: 'esp.example' });
  await expectVerdict(anywhere, 'unreadable', /esp\.example/, { records });
});

test('an unlisted domain whose key is missing, failing or wrong is a forgery and never retried', async () => {
  const raw = signedAlert(genuineLines, body, { domain: 'esp.example' });
  const name = 's1._domainkey.esp.example';
  for (const answer of [{ kind: 'not_found' }, { kind: 'temporary' }, mailKey(2048, 'evil').record] as const)
    await expectVerdict(raw, 'forged', /esp\.example/, { records: { [name]: answer } });
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

test('DNS that fails, and a key that is missing or unusable, are passing faults', async () => {
  const name = 's1._domainkey.test.bank.in';
  for (const answer of [{ kind: 'temporary' }, { kind: 'not_found' }, 'not a key'] as const)
    await expectVerdict(signedAlert(), 'retrying', /tried again/, { records: { [name]: answer } });
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

test('one mail with two signatures of the bank names both, whichever stands first', async () => {
  const second = signatureLine(genuineLines, body, { domain: 'test.bank.in', selector: 's2' });
  const records = { 's2._domainkey.test.bank.in': mailKey().record };
  const one = await judge(onTop(signedAlert(), second), { records });
  const raw = signedAlert().toString('latin1').split('\r\n');
  const two = await judge(Buffer.from([raw[0], second, ...raw.slice(1)].join('\r\n'), 'latin1'), { records });
  assert.equal(one.verdict, 'credit');
  assert.equal(one.signatureId, two.signatureId);
  assert.equal(one.otherSignatureIds.length, 1);
});

test('refolding, re-casing and a new Message-ID leave the replay key as it was', async () => {
  const raw = signedAlert();
  const again = altered(
    altered(raw, '<1@test.bank.in>', '<2@relay.in>'),
    'Subject: Account',
    'SUBJECT:   Account',
  );
  const folded = altered(again, / b=(.{40})/, ' b=$1\r\n\t');
  const [first, second] = [await judge(raw), await judge(folded)];
  assert.equal(second.verdict, 'credit');
  assert.equal(first.signatureId, second.signatureId);
});

test("HDFC's malformed Message-ID, replaced by Gmail, is put back and the signature decides", async () => {
  const names = ['content-type', 'message-id', 'subject', 'date', 'mime-version', 'to', 'from'];
  const lines = linesWith({ 'Message-ID': 'A.17793885.1.0.0.1#merchant@shop.in' });
  const sent = signedAlert(lines, body, { names });
  assert.equal((await judge(sent)).verdict, 'credit');
  const stored = altered(
    sent,
    /Message-ID: .*/,
    'Message-ID: <6a1d.SMTPIN_ADDED_BROKEN@mx.google.com>\r\nX-Google-Original-Message-ID: A.17793885.1.0.0.1#merchant@shop.in',
  );
  const judgement = await judge(stored);
  assert.equal(judgement.verdict, 'credit', judgement.reason);
  assert.equal(judgement.asked.length, 1);

  const wrong = altered(stored, 'Original-Message-ID: A.1', 'Original-Message-ID: A.2');
  await expectVerdict(wrong, 'forged', /not valid/);
  const doubled = onTop(stored, 'X-Google-Original-Message-ID: A.17793885.1.0.0.1#merchant@shop.in');
  await expectVerdict(doubled, 'forged', /not valid/);
  await expectVerdict(
    altered(stored, 'SMTPIN_ADDED_BROKEN@mx', 'SMTPIN_ADDED_BROKEN@my'),
    'forged',
    /not valid/,
  );
});

test('a Message-ID that Gmail added where the bank sent none is left out again', async () => {
  const names = [...everything, 'message-id'];
  const sent = signedAlert(linesWith({ 'Message-ID': null }), body, { names });
  const stored = onTop(sent, 'Message-ID: <6a1d.SMTPIN_ADDED_MISSING@mx.google.com>');
  assert.equal((await judge(stored)).verdict, 'credit');
});

test('a bank that does not sign Date tells the time by t=, and without t= no time is believed', async () => {
  const bank = testBank({ dateMayBeUnsigned: true });
  const names = everything.filter(name => name !== 'date');
  const lines = linesWith({ Date: 'Mon, 01 Jan 2024 00:00:00 +0000' });
  const judgement = await judge(signedAlert(lines, body, { names }), { bank });
  assert.equal(judgement.verdict, 'credit');
  assert.equal(judgement.alertTime?.getTime(), noon.getTime() - 5 * second);
  await expectVerdict(signedAlert(lines, body, { names, tags: [] }), 'unreadable', /time/, { bank });
});

test('the alert time is the signed Date, never later than the arrival, and no Date a day off its signature', async () => {
  const ahead = signedAlert(linesWith({ Date: 'Tue, 02 Jun 2026 17:00:00 +0530' }));
  assert.equal((await judge(ahead)).alertTime?.getTime(), noon.getTime());
  const late = await judge(signedAlert(), { arrivedAt: later(noon, 20 * minute) });
  assert.equal(late.alertTime?.toISOString(), '2026-06-02T06:29:50.000Z');
  for (const date of [
    'Mon, 01 Jun 2026 11:59:00 +0530',
    'Wed, 03 Jun 2026 12:01:00 +0530',
    'Tue, 02 Jun 26 11:59 IST',
  ])
    await expectVerdict(signedAlert(linesWith({ Date: date })), 'unreadable', /time/);
});

test('a mail signed by mailauth itself verifies like one of our own', async () => {
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js');
  const privateKey = mailKey().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const unsigned = [...genuineLines, '', body].join('\r\n');
  const { signatures } = await dkimSign(unsigned, {
    signTime: noon,
    signatureData: [{ signingDomain: 'test.bank.in', selector: 's1', privateKey }],
  } as never);
  assert.equal((await judge(Buffer.from(signatures + unsigned))).verdict, 'credit');
});

test('an unknown sender is nobody, and a sender that can be read twice is forged', async () => {
  const from = (value: string) => signMail(linesWith({ From: value }), body, { domain: 'test.bank.in' });
  await expectVerdict(from('alerts@test.bank.in.evil.in'), 'unreadable', /not a known sender/);
  await expectVerdict(from('"alerts@test.bank.in" <x@evil.in>'), 'unreadable', /not a known sender/);
  await expectVerdict(from('alerts@test.bank.in, x@evil.in'), 'forged', /one clear sender/);
  await expectVerdict(from('alerts@test.bank.in (x)'), 'forged', /one clear sender/);
});
