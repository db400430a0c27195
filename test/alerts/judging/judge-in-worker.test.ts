import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { type Judges, startJudges } from '../../../src/alerts/judging/start-judges.ts';
import type { KeyAnswer, KeySource } from '../../../src/alerts/origin/key-source.ts';
import { second } from '../../../src/base/clock.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { testBank } from '../../support/alert-banks.ts';
import { bankZone, genuineLines, linesWith, noon, signedAlert } from '../../support/genuine-alert.ts';
import { mailKey, zone } from '../../support/signed-mail.ts';

const mail = { addresses: ['merchant@shop.in'], arrivedAt: noon, now: noon };
const quiet = { error: () => {} };
const open: Judges[] = [];

function judges({
  banks = [testBank()],
  ...options
}: {
  banks?: Bank[];
  keys?: KeySource;
  known?: (name: string) => KeyAnswer | null;
  timeLimit?: number;
  threads?: number;
} = {}): Judges {
  const started = startJudges({
    banks: () => banks,
    keys: zone(bankZone()),
    log: quiet,
    threads: 1,
    ...options,
  });
  open.push(started);
  return started;
}

let pool: Judges;
before(() => {
  pool = judges();
});
after(() => Promise.all(open.map(one => one.close())));

test('a thread that started before the first mail judges it', async () => {
  const one = judges();
  let threads = 0;
  const count = () => threads++;
  process.on('worker', count);
  one.warm();
  await turn();
  // None, if an earlier test left a spare thread.
  const warmed = threads;
  assert.equal((await one.judge(signedAlert(), mail)).verdict, 'credit');
  assert.equal(threads, warmed, 'the mail started no thread of its own');
  process.off('worker', count);
});

test('a thread reaches the same verdict as the judge', async () => {
  const credit = await pool.judge(signedAlert(), mail);
  assert.equal(credit.verdict, 'credit');
  assert.equal(credit.facts?.amount, 50037);
  assert.deepEqual(credit.alertTime, new Date('2026-06-02T06:29:50Z'));
  assert.equal((await pool.judge(signedAlert(linesWith({ To: 'x@y.in' })), mail)).verdict, 'wrong_recipient');
  assert.equal((await pool.judge(Buffer.from('junk'), mail)).verdict, 'unreadable');
});

test('the main thread fetches keys, and a mail that waits for DNS delays no other', async () => {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const keys: KeySource = async name => {
    if (name.startsWith('slow.')) await held;
    return { kind: 'found', record: mailKey().record };
  };
  const one = judges({ keys });
  const waiting = one.judge(signedAlert(genuineLines, undefined, { selector: 'slow' }), mail);
  assert.equal((await one.judge(signedAlert(), mail)).verdict, 'credit');
  release();
  assert.equal((await waiting).verdict, 'credit');
});

test('a known key is sent with the mail and not fetched; one that does not fit is fetched again', async () => {
  const known = (name: string): KeyAnswer | null =>
    name === 's1._domainkey.test.bank.in' ? { kind: 'found', record: mailKey().record } : null;
  const asked: string[] = [];
  const keys: KeySource = async (name, purpose) => {
    asked.push(`${purpose} ${name}`);
    return { kind: 'found', record: mailKey(2048, 'new').record };
  };
  const one = judges({ keys, known });
  const written = signedAlert().toString('latin1').replace('; d=', ';\r\n d=').replace('d=test', 'd=TEST');
  assert.equal((await one.judge(signedAlert(), mail)).verdict, 'credit');
  assert.notEqual((await one.judge(Buffer.from(written, 'latin1'), mail)).reason.code, 'not_signed');
  assert.deepEqual(asked, []);
  const key = mailKey(2048, 'new');
  assert.equal((await one.judge(signedAlert(genuineLines, undefined, { key }), mail)).verdict, 'credit');
  assert.deepEqual(asked, ['again s1._domainkey.test.bank.in']);
  const other = signedAlert(genuineLines, undefined, { key, selector: 's2' });
  assert.equal((await one.judge(other, mail)).verdict, 'credit');
  assert.deepEqual(asked.slice(1), ['bank s2._domainkey.test.bank.in']);
});

test('a DNS failure leads to another try, not to a refusal', async () => {
  const keys: KeySource = async () => ({ kind: 'temporary' });
  assert.equal((await judges({ keys }).judge(signedAlert(), mail)).verdict, 'retrying');
});

test('a process that was suspended during judging does not count the mail as too slow', async () => {
  const one = judges({ timeLimit: 2 * second });
  assert.equal((await one.judge(signedAlert(), mail)).verdict, 'credit');
  const judgement = one.judge(signedAlert(), mail);
  // The thread answers while we are blocked; when we go on, its time seems to be long over.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3.5 * second));
  assert.equal((await judgement).verdict, 'credit');
});

test('a slow mail is given up without blocking the event loop, its thread is replaced, and the next mail is judged', async () => {
  // An endlessly backtracking pattern represents any input that may one day hang a parser.
  const bank = testBank();
  const stuck = { ...bank, id: 'stuck', senders: ['stuck@test.bank.in'] };
  const body = [[{ kind: 'bank', pattern: /(?:a+)+$/dgu }]] as const;
  const banks = [bank, { ...stuck, templates: bank.templates.map(one => ({ ...one, body })) }];
  const one = judges({ banks, timeLimit: 2 * second });
  const bomb = signedAlert(linesWith({ From: 'stuck@test.bank.in' }), `${'a'.repeat(60)}!\r\n`);
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  const [judgement, next] = await Promise.all([one.judge(bomb, mail), one.judge(signedAlert(), mail)]);
  assert.equal(judgement.verdict, 'unreadable');
  assert.match(sayReason('en', judgement.reason), /too long/);
  clearInterval(turning);
  assert.equal(next.verdict, 'credit');
  assert.ok(turns > 10);
});

test('a reused thread judges only by its new owner’s banks, and a blocked thread is not reused', async () => {
  const bank = testBank();
  const body = [[{ kind: 'bank', pattern: /(?:a+)+$/dgu }]] as const;
  const stuck = { ...bank, templates: bank.templates.map(one => ({ ...one, body })) };
  const first = judges();
  assert.equal((await first.judge(signedAlert(), mail)).verdict, 'credit');
  await first.close();
  const strangers = judges({ banks: [] });
  assert.notEqual((await strangers.judge(signedAlert(), mail)).verdict, 'credit');
  await strangers.close();
  // The key is known, so the thread has the mail before it gets the order to close.
  const known = (): KeyAnswer => ({ kind: 'found', record: mailKey().record });
  const hanging = judges({ banks: [stuck], known });
  assert.notEqual((await hanging.judge(Buffer.from('junk'), mail)).verdict, 'credit');
  const lost = hanging.judge(signedAlert(genuineLines, `${'a'.repeat(60)}!\r\n`), mail);
  await hanging.close();
  assert.notEqual((await lost).verdict, 'credit');
  for (const one of [judges(), judges(), judges()])
    assert.equal((await one.judge(signedAlert(), mail)).verdict, 'credit');
});

test('a mail never gets another mail’s verdict, even while judges close and others start', async () => {
  const known = (): KeyAnswer => ({ kind: 'found', record: mailKey().record });
  for (let ticks = 0; ticks < 5; ticks++) {
    const first = judges({ known });
    await first.judge(Buffer.from('junk'), mail);
    const closing = first.close();
    for (let tick = 0; tick < ticks; tick++) await null;
    const credit = first.judge(signedAlert(), mail);
    await closing;
    const next = judges({ known });
    const stranger = next.judge(signedAlert(linesWith({ To: 'x@y.in' })), mail);
    assert.equal((await stranger).verdict, 'wrong_recipient');
    await credit;
    await next.close();
    await first.close();
  }
});
