import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { explainAlert } from '../../../src/alerts/judging/explain-alert.ts';
import { DnsError } from '../../../src/base/network/dns.ts';
import { testBank } from '../../support/alert-banks.ts';
import { bankZone, linesWith, noon, signedAlert } from '../../support/genuine-alert.ts';
import { mailKey } from '../../support/signed-mail.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explain-alert-'));
});
after(() => rm(folder, { recursive: true }));

async function put(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function explain(...args: string[]) {
  const lines: string[] = [];
  const complaints: string[] = [];
  const exitCode = await explainAlert(
    {
      clock: { now: () => noon },
      dns: {
        async lookupText(name) {
          if (name !== 's1._domainkey.test.bank.in') throw new DnsError('not_found', name);
          return ['unrelated', mailKey().record];
        },
      },
      banks: [testBank()],
      print: line => lines.push(line),
      complain: sentence => complaints.push(sentence),
    },
    args,
  );
  return { exitCode, lines, complaints };
}

test('explain-alert prints one line of JSON for each file, in order, with exactly the documented keys', async () => {
  const credit = await put('a.eml', signedAlert());
  const other = await put('b.eml', signedAlert(linesWith({ To: 'x@y.in' })));
  const zone = await put('zone.json', JSON.stringify(bankZone()));
  const { exitCode, lines } = await explain(
    credit,
    other,
    '--addressed-to',
    'a@b.in, Merchant@shop.in',
    '--dns',
    zone,
  );
  assert.equal(exitCode, 0);
  assert.deepEqual(JSON.parse(lines[0]!), {
    verdict: 'credit',
    reason_code: 'money_arrived',
    reason: 'Test Bank says that the money has arrived.',
    bank: 'Test Bank',
    amount_paise: 50037,
    reference: '612345678901',
    payer: 'ravi@okbank',
    account_digits: '4321',
    alert_time: '2026-06-02T06:29:50.000Z',
    would_read: null,
  });
  assert.equal(JSON.parse(lines[1]!).verdict, 'wrong_recipient');
  assert.deepEqual(Object.keys(JSON.parse(lines[1]!)), Object.keys(JSON.parse(lines[0]!)));
  assert.equal(lines.length, 2);
});

test('an unsigned mail and pasted text show what the wording would read, marked as not proven', async () => {
  const signed = signedAlert().toString('latin1');
  const unsigned = signed.replace(/^dkim-signature:.*\r\n(?:[ \t].*\r\n)*/gim, '');
  assert.doesNotMatch(unsigned, /dkim/i);
  const body = unsigned.slice(unsigned.indexOf('\r\n\r\n') + 4);
  const forwarded = unsigned.replace(/^From:.*$/im, 'From: owner@shop.in').replace(/^Subject: /im, '$&Fwd: ');
  const files = [
    await put('unsigned.eml', unsigned),
    await put('forwarded.eml', forwarded),
    await put('pasted.txt', `Hello,\n\n${body}`),
    await put('nothing.txt', 'Hello,\n\nthis is no alert.'),
  ];
  const { lines } = await explain(...files, '--addressed-to', 'merchant@shop.in');
  const said = lines.map(line => JSON.parse(line));
  assert.ok(said.every(({ verdict, amount_paise }) => verdict !== 'credit' && amount_paise === null));
  for (const { would_read } of said.slice(0, 3))
    assert.deepEqual(
      [would_read.proven, would_read.verdict, would_read.bank, would_read.amount_paise, would_read.reference],
      [false, 'credit', 'Test Bank', 50037, '612345678901'],
    );
  assert.equal(said[3].would_read, null);
});

test('the zone file replaces DNS: a missing name and SERVFAIL retry, a list is one record or several', async () => {
  const mail = await put('c.eml', signedAlert());
  const name = 's1._domainkey.test.bank.in';
  const { record } = mailKey();
  const verdictWith = async (zone: unknown) => {
    const path = await put('z.json', JSON.stringify(zone));
    const { lines } = await explain(mail, '--addressed-to', 'merchant@shop.in', '--dns', path);
    return JSON.parse(lines[0]!).verdict;
  };
  assert.equal(await verdictWith({}), 'retrying');
  assert.equal(await verdictWith({ [name]: 'SERVFAIL' }), 'retrying');
  assert.equal(await verdictWith({ [name]: mailKey(2048, 'other').record }), 'retrying');
  assert.equal(await verdictWith({ [name]: record }), 'credit');
  assert.equal(await verdictWith({ [`${name.toUpperCase()}.`]: record }), 'credit');
  assert.equal(await verdictWith({ [name]: [record.slice(0, 200), record.slice(200)] }), 'credit');
  assert.equal(await verdictWith({ [name]: ['v=spf1 -all', record] }), 'credit');
});

test('without a zone file, DNS is asked', async () => {
  const mail = await put('d.eml', signedAlert());
  const { lines } = await explain(mail, '--addressed-to', 'merchant@shop.in');
  assert.equal(JSON.parse(lines[0]!).verdict, 'credit');
});

test('--at is the time of arrival', async () => {
  const mail = await put('e.eml', signedAlert());
  const at = (moment: string) => explain(mail, '--addressed-to', 'merchant@shop.in', '--at', moment);
  assert.equal(JSON.parse((await at('2026-06-02T12:00:00+05:30')).lines[0]!).verdict, 'credit');
  assert.equal(JSON.parse((await at('2026-06-02T06:00:00Z')).lines[0]!).verdict, 'forged');
});

test('a file without CRs is read as if it had them; one with mixed line ends is not', async () => {
  const text = signedAlert().toString('latin1');
  const plain = await put('f.eml', text.replaceAll('\r\n', '\n'));
  const mixed = await put('g.eml', text.replace('\r\n', '\n'));
  const { lines } = await explain(plain, mixed, '--addressed-to', 'merchant@shop.in');
  assert.equal(JSON.parse(lines[0]!).verdict, 'credit');
  assert.equal(JSON.parse(lines[1]!).verdict, 'forged');
});

test('an unreadable file is named, and the others still get their lines', async () => {
  const mail = await put('h.eml', signedAlert());
  const missing = join(folder, 'missing.eml');
  const { exitCode, lines, complaints } = await explain(
    mail,
    missing,
    mail,
    '--addressed-to',
    'merchant@shop.in',
  );
  assert.equal(exitCode, 1);
  assert.equal(lines.length, 2);
  assert.deepEqual(complaints, [`${missing} cannot be read (ENOENT).`]);
});

test('a missing or wrong option is one sentence and exit code 1', async () => {
  const mail = await put('i.eml', signedAlert());
  const to = ['--addressed-to', 'merchant@shop.in'];
  const zone = await put('bad.json', '{"a": 5}');
  for (const args of [
    [],
    to,
    [mail],
    [mail, '--addressed-to'],
    [mail, '--addressed-to', 'nobody'],
    [mail, '--addressed-to', 'a@b.in,'],
    [mail, ...to, '--at', 'noon'],
    [mail, ...to, '--at', '2026-13-01T00:00:00Z'],
    [mail, ...to, '--dns', join(folder, 'none.json')],
    [mail, ...to, '--dns', zone],
    [mail, ...to, '--dns', mail],
    [mail, ...to, '--colour', 'red'],
  ]) {
    const { exitCode, lines, complaints } = await explain(...args);
    assert.equal(exitCode, 1, args.join(' '));
    assert.deepEqual(lines, []);
    assert.equal(complaints.length, 1);
    assert.match(complaints[0]!, /^[^\n]{10,}$/);
  }
});
