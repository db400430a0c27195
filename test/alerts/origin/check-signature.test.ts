import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import test from 'node:test';
import { compareBodies, compareVerifiers } from '../../../drills/mutate/compare-verifiers.ts';
import { splitHeaders } from '../../../src/alerts/mail/split-headers.ts';
import {
  type Checked,
  canonicalBodies,
  canonicaliseHeaders,
  checkSignature,
  readKey,
} from '../../../src/alerts/origin/check-signature.ts';
import { signaturesOf } from '../../../src/alerts/origin/parse-signature.ts';
import { expectVerdict, genuineLines, judge, noon, onTop, signedAlert } from '../../support/genuine-alert.ts';
import { ed25519Key, mailKey } from '../../support/signed-mail.ts';

/** The message of RFC 6376, appendix A, as the RFC's key (appendix C) signed it. */
const rfc6376 = `DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;
      c=simple/simple; q=dns/txt; i=joe@football.example.com;
      h=Received : From : To : Subject : Date : Message-ID;
      bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
      b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB
        4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut
        KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV
        4bmp/YzhwvcubU4=;
Received: from client1.football.example.com  [192.0.2.1]
      by submitserver.example.com with SUBMISSION;
      Fri, 11 Jul 2003 21:01:54 -0700 (PDT)
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game. Are you hungry yet?

Joe.
`;
const brisbane =
  'v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB';

/** The message of RFC 8463, appendix A, with its two signatures and the keys of both. */
const rfc8463 = `DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
`;
const keysOf8463 = [
  'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB',
];

function check(raw: Buffer, record: string, at = 0): Checked {
  const mail = splitHeaders(raw);
  assert.ok(mail.outcome === 'split');
  const tags = signaturesOf(mail)[at]!;
  return checkSignature(mail.fields, tags, record, canonicalBodies(mail.body)(tags.bodyCanon)) as Checked;
}

const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');

test('the example of RFC 6376 verifies, and fails with any changed letter', () => {
  assert.equal(check(crlf(rfc6376), brisbane).failure, null);
  assert.equal(check(crlf(rfc6376.replace('dinner', 'Dinner')), brisbane).failure, 'bad signature');
  assert.equal(check(crlf(rfc6376.replace('hungry', 'angry')), brisbane).failure, 'body hash did not verify');
});

test('both signatures of the example of RFC 8463 verify, each only with its own key', () => {
  for (const [at, record] of keysOf8463.entries()) {
    assert.equal(check(crlf(rfc8463), record, at).failure, null);
    assert.equal(check(crlf(rfc8463), record, 1 - at).failure, 'inappropriate key algorithm');
    assert.equal(check(crlf(rfc8463.replace('dinner', 'Dinner')), record, at).failure, 'bad signature');
  }
});

test('the lowest of repeated headers is signed first, and a missing header in h= adds nothing', () => {
  const lines = ['X-A: one', 'X-A: two', 'From: a@b.in'];
  const names = ['x-a', 'x-b', 'X-A', 'x-a', 'from'];
  const mail = splitHeaders(signedAlert(lines, '', { names }));
  assert.ok(mail.outcome === 'split');
  const canonical = canonicaliseHeaders(mail.fields, signaturesOf(mail)[0]!);
  assert.match(canonical, /^x-a:two\r\nx-a:one\r\nfrom:a@b\.in\r\ndkim-signature:v=1; .*; b=$/);
});

test('only the signature’s own b= is left empty: not one inside z=, nor an unknown tag that ends in b', () => {
  for (const tag of ['z=From:x|b=y', 'bb=1', 'xb=', 'n=b=AAAA'])
    assert.equal(check(signedAlert(undefined, undefined, { tags: [tag] }), mailKey().record).failure, null);
});

test('a key with exponent 1 is refused, because anybody can sign with it', async () => {
  const { n } = mailKey(1024).privateKey.export({ format: 'jwk' });
  const modulus = Buffer.from(n!, 'base64url');
  const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([2, 0x81, bytes.length]), bytes]);
  const pair = Buffer.concat([
    integer(Buffer.concat([Buffer.from([0]), modulus])),
    integer(Buffer.from([1])),
  ]);
  const der = Buffer.concat([Buffer.from([0x30, 0x81, pair.length]), pair]);
  const record = `v=DKIM1; k=rsa; p=${der.toString('base64')}`;

  const unsigned = signedAlert(genuineLines, undefined, { key: mailKey(1024) });
  const mail = splitHeaders(unsigned);
  assert.ok(mail.outcome === 'split');
  const [tags] = signaturesOf(mail);
  const hash = createHash('sha256').update(canonicaliseHeaders(mail.fields, tags!), 'latin1').digest();
  const info = Buffer.from('3031300d060960864801650304020105000420', 'hex');
  const padding = Buffer.alloc(128 - 3 - info.length - hash.length, 0xff);
  const plain = Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), info, hash]);
  const forged = unsigned.toString('latin1').replace(/ b=.*/, ` b=${plain.toString('base64')}`);
  const records = { 's1._domainkey.test.bank.in': record };
  await expectVerdict(Buffer.from(forged, 'latin1'), 'retrying', /not the one/, { records });
});

test('a broken record does not hide a good one, and a copy of the signature does not change its time', async () => {
  const record = mailKey().record;
  for (const bad of ['v=DKIM1; p=AAAA; p=AAAA', 'not a key', 'v=DMARC1; p=none;;'])
    for (const [first, second] of [
      [bad, record],
      [record, bad],
    ] as const) {
      const records = {
        's1._domainkey.test.bank.in': { kind: 'found', record: first, others: [second] },
      } as const;
      assert.equal((await judge(signedAlert(), { records })).verdict, 'credit', first);
    }
  const seconds = noon.getTime() / 1000;
  const [lapsed, holds] = [60, 7200].map(after =>
    signedAlert(undefined, undefined, { tags: [`t=${seconds - 5}`, `x=${seconds + after}`] }),
  ) as [Buffer, Buffer];
  const twin = (mail: Buffer, expiry: string) =>
    onTop(
      mail,
      mail
        .toString('latin1')
        .split('\r\n')[0]!
        .replace(/x=\d+; /, expiry),
    );
  const later = { arrivedAt: noon, now: new Date((seconds + 3600) * 1000) };
  assert.notEqual((await judge(twin(lapsed, ''), later)).verdict, 'credit');
  assert.equal((await judge(twin(holds, `x=${seconds + 60}; `), later)).verdict, 'credit');
});

test('a key record must follow its grammar', () => {
  const flaws: Record<string, string[]> = {
    'invalid public key': [
      ...['', 'p=', 'v=DKIM1', 'not a key', 'v=DKIM1;; p=AAAA', 'v=DKIM1; p=AA*A', 'v=DKIM1; p=AAAA; p=AAAA'],
      ...['v=DKIM1; =1; p=AAAA', 'v=DKIM1; P=AAAA', '1=2; p=AAAA', `k=ed25519; p=${enveloped()}`],
    ],
    'unknown key version': ['v=DKIM2; p=AAAA', 'v=dkim1; p=AAAA', 'v=; p=AAAA', 'p=AAAA; v=DKIM1'],
    'key not for email': ['s=web; p=AAAA', 's=; p=AAAA'],
    'inappropriate hash algorithm': ['h=sha1; p=AAAA', 'h=; p=AAAA'],
    'unknown key type': [
      'p=AAAA',
      'k=; p=AAAA',
      'k=dsa; p=AAAA',
      `k=rsa; ${ofEd25519}`,
      ofEd25519,
      ...dearKeys(),
    ],
    // The last two would keep a judge busy for most of a second.
    'weak key': [mailKey(768).record, mailKey(512).record],
  };
  for (const [flaw, records] of Object.entries(flaws))
    for (const record of records) assert.equal(readKey(record).flaw, flaw, record);
  const p = mailKey().record.slice(mailKey().record.indexOf('p='));
  for (const record of [p, `k=RSA; ${p};`, `h=sha1:SHA256; s=*; ${p}`, `s=x:email; n=a=b; g=; zz=; ${p} `])
    assert.equal(readKey(record).flaw, undefined, record);
  assert.equal(readKey(` v = DKIM1;\tk=rsa; ${p.slice(0, 60)}\r\n ${p.slice(60)}`).flaw, undefined);
  assert.deepEqual(read(`t=y:s; ${p}`), { testing: true, exact: true });
  assert.deepEqual(read(`t=S; ${p}`), { testing: false, exact: true });

  function read(record: string) {
    const { testing, exact } = readKey(record) as { testing: boolean; exact: boolean };
    return { testing, exact };
  }
});

const ofEd25519 = ed25519Key().record.slice(ed25519Key().record.indexOf('p='));

/** RSA keys beyond what anybody signs with: the modulus, and the exponent. */
function dearKeys(): string[] {
  const { n } = mailKey(1024).privateKey.export({ format: 'jwk' });
  const long = Buffer.alloc(640, 0xff).toString('base64url');
  return [
    { n: n!, e: Buffer.alloc(8, 0xff).toString('base64url') },
    { n: long, e: 'AQAB' },
  ].map(({ n, e }) => {
    const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
    return `p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  });
}

function enveloped(): string {
  return generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

test('1,500 random mails, signatures and keys get the same result as from mailauth', async () => {
  const { outcomes, wrong } = await compareVerifiers(1_500, 3, () => {});
  assert.deepEqual(wrong, []);
  assert.ok((outcomes.get('signing: verified') ?? 0) > 100);
  assert.deepEqual(compareBodies(1_500, 3), []);
});
