import assert from 'node:assert/strict';
import test from 'node:test';
import { sentence } from '../../support/alert-banks.ts';
import {
  altered,
  expectVerdict,
  genuineLines,
  judge,
  linesWith,
  noon,
  onTop,
  signedAlert,
} from '../../support/genuine-alert.ts';
import { ed25519Key, mailKey } from '../../support/signed-mail.ts';

const body = `${sentence}\r\n`;
const everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];

test('a genuine alert is a credit, with its facts, its time, its signer and its recipient', async () => {
  const judgement = await judge(signedAlert());
  assert.equal(judgement.verdict, 'credit', judgement.reason.code);
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

test('a selector with underscores, as real ones have, is accepted', async () => {
  for (const selector of ['key_2026', 'a_b.c_d', 's1']) {
    const records = { [`${selector}._domainkey.test.bank.in`]: mailKey().record };
    await expectVerdict(signedAlert(genuineLines, body, { selector }), 'credit', /arrived/, { records });
  }
  await expectVerdict(signedAlert(genuineLines, body, { selector: '_s1' }), 'forged', /no signature/);
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

test('oversigned headers, which detect any addition, verify', async () => {
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

test('a key for testing only (t=y), and one for another service, are refused; for a withdrawn key the mail waits', async () => {
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
  await expectVerdict(signedAlert(), 'retrying', /withdrawn/, publishing('v=DKIM1; k=rsa; p='));
});

test('a mail under a key that does not fit waits and pays nothing, because DNS may be wrong for a while', async () => {
  const publishing = (record: string) => ({ records: { 's1._domainkey.test.bank.in': record } });
  for (const record of [
    mailKey(2048, 'other').record,
    mailKey(1024, 'other').record,
    ed25519Key().record,
    mailKey().record.replace('DKIM1', 'DKIM2'),
  ]) {
    const judgement = await expectVerdict(signedAlert(), 'retrying', /not the one/, publishing(record));
    assert.equal(judgement.facts, null);
    assert.equal(judgement.signatureId, null);
  }
});

test('i= of a foreign domain, or of a neighbour that only ends alike, is forged; one below the domain is not', async () => {
  const withIdentity = (i: string) => signedAlert(genuineLines, body, { tags: [`i=${i}`] });
  for (const i of ['@evil.in', 'x@eviltest.bank.in', '@bank.in', 'test.bank.in'])
    await expectVerdict(withIdentity(i), 'forged', /other than its own/);
  assert.equal((await judge(withIdentity('alerts@mail.test.bank.in'))).verdict, 'credit');
});

test('a DNS failure, and a missing or unusable key, are temporary faults', async () => {
  const name = 's1._domainkey.test.bank.in';
  for (const answer of [{ kind: 'temporary' }, { kind: 'not_found' }, 'not a key'] as const)
    await expectVerdict(signedAlert(), 'retrying', /tried again/, { records: { [name]: answer } });
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
