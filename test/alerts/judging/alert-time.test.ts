import assert from 'node:assert/strict';
import test from 'node:test';
import { later, minute, second } from '../../../src/base/clock.ts';
import { sentence, testBank } from '../../support/alert-banks.ts';
import {
  expectVerdict,
  genuineLines,
  judge,
  linesWith,
  noon,
  noonSeconds,
  signedAlert,
} from '../../support/genuine-alert.ts';

const body = `${sentence}\r\n`;
const everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];

test('t= may be five minutes after the arrival, and not a second more', async () => {
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

test('a bank that does not sign Date has the time of t=; without t= no time is accepted', async () => {
  const bank = testBank({ dateMayBeUnsigned: true });
  const names = everything.filter(name => name !== 'date');
  const lines = linesWith({ Date: 'Mon, 01 Jan 2024 00:00:00 +0000' });
  const judgement = await judge(signedAlert(lines, body, { names }), { bank });
  assert.equal(judgement.verdict, 'credit');
  assert.equal(judgement.alertTime?.getTime(), noon.getTime() - 5 * second);
  await expectVerdict(signedAlert(lines, body, { names, tags: [] }), 'unreadable', /time/, { bank });
});

test('the alert time is the signed Date, but never after the arrival, and a Date a day from t= is refused', async () => {
  const ahead = linesWith({ Date: 'Tue, 02 Jun 2026 12:20:00 +0530' });
  assert.equal((await judge(signedAlert(ahead))).alertTime?.getTime(), noon.getTime());
  const late = await judge(signedAlert(), { arrivedAt: later(noon, 20 * minute) });
  assert.equal(late.alertTime?.toISOString(), '2026-06-02T06:29:50.000Z');
  for (const date of ['Mon, 01 Jun 2026 11:59:00 +0530', 'Wed, 03 Jun 2026 12:01:00 +0530'])
    await expectVerdict(signedAlert(linesWith({ Date: date })), 'unreadable', /time/);
});

test('an unreadable signed Date is replaced by the signature’s time, and without one there is no time', async () => {
  const lines = linesWith({ Date: 'Tue, 02 Jun 2026 11:59:50 IST' });
  assert.equal((await judge(signedAlert(lines))).alertTime?.toISOString(), '2026-06-02T06:29:55.000Z');
  await expectVerdict(signedAlert(lines, undefined, { tags: [] }), 'unreadable', /time/);
});

/** A Date of noon, shifted as a wrong zone shifts it. */
const shifted = (minutes: number) =>
  linesWith({
    Date: later(noon, minutes * minute - 10 * second)
      .toUTCString()
      .replace('GMT', '+0000'),
  });
const wrongZone = 5 * 60 + 30;

test('t= replaces a signed Date in a wrong zone, hours earlier or later, if t= fits the arrival', async () => {
  for (const minutes of [-wrongZone, wrongZone, -60, 45])
    for (const delay of [0, 20 * minute]) {
      const judgement = await judge(signedAlert(shifted(minutes)), { arrivedAt: later(noon, delay) });
      assert.equal(judgement.verdict, 'credit', judgement.reason.code);
      assert.equal(judgement.alertTime?.toISOString(), '2026-06-02T06:29:55.000Z', `${minutes}, ${delay}`);
    }
});

test('t= also counts if the zone is wrong or the mailbox was down for hours', async () => {
  for (const minutes of [-wrongZone, wrongZone]) {
    const judgement = await judge(signedAlert(shifted(minutes)), { arrivedAt: later(noon, 8 * 60 * minute) });
    assert.equal(judgement.alertTime?.toISOString(), '2026-06-02T06:29:55.000Z');
  }
});

test('a Date that fits the arrival counts against a t= that is hours off', async () => {
  const raw = signedAlert(genuineLines, body, { tags: [`t=${noonSeconds - 6 * 3600}`] });
  assert.equal((await judge(raw)).alertTime?.toISOString(), '2026-06-02T06:29:50.000Z');
});

test('Date counts if it is within half an hour of t=, however late the mail comes', async () => {
  for (const delay of [0, 20 * minute, 6 * 60 * minute]) {
    const judgement = await judge(signedAlert(shifted(-20)), { arrivedAt: later(noon, delay) });
    assert.equal(judgement.alertTime?.toISOString(), '2026-06-02T06:09:50.000Z');
  }
});

test('without t= a Date in a wrong zone counts, but never after the arrival', async () => {
  const unsigned = (minutes: number) => signedAlert(shifted(minutes), body, { tags: [] });
  assert.equal((await judge(unsigned(wrongZone))).alertTime?.getTime(), noon.getTime());
  assert.equal((await judge(unsigned(-wrongZone))).alertTime?.toISOString(), '2026-06-02T00:59:50.000Z');
});
