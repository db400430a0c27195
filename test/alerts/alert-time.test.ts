import assert from 'node:assert/strict';
import test from 'node:test';
import { later, minute, second } from '../../src/clock.ts';
import { sentence, testBank } from '../support/alert-banks.ts';
import {
  expectVerdict,
  genuineLines,
  judge,
  linesWith,
  noon,
  noonSeconds,
  signedAlert,
} from '../support/genuine-alert.ts';

const body = `${sentence}\r\n`;
const everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];

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
  for (const date of ['Mon, 01 Jun 2026 11:59:00 +0530', 'Wed, 03 Jun 2026 12:01:00 +0530'])
    await expectVerdict(signedAlert(linesWith({ Date: date })), 'unreadable', /time/);
});

test('a signed Date that cannot be read leaves the time of the signature, and without one no time at all', async () => {
  const lines = linesWith({ Date: 'Tue, 02 Jun 2026 11:59:50 IST' });
  assert.equal((await judge(signedAlert(lines))).alertTime?.toISOString(), '2026-06-02T06:29:55.000Z');
  await expectVerdict(signedAlert(lines, undefined, { tags: [] }), 'unreadable', /time/);
});
