import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSenders } from '../../../src/alerts/mail/split-headers.ts';
import { backOff, usualPace } from '../../../src/alerts/mailboxes/pace.ts';
import { UidSet } from '../../../src/alerts/mailboxes/watch-job.ts';
import { fc } from '../../support/same-dice.ts';

test('a set of UIDs holds exactly what was added, in as few ranges as possible', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 })), fc.integer({ min: 1, max: 60 }), (uids, below) => {
      const set = new UidSet();
      for (const uid of uids) set.add(uid);
      const all = new Set(uids);
      for (let uid = 0; uid <= 62; uid++) assert.equal(set.has(uid), all.has(uid), `${uid}`);
      const starts = [...all].filter(uid => !all.has(uid - 1)).length;
      assert.equal(set.ranges, starts);
      set.forgetBelow(below);
      for (const uid of all) if (uid >= below) assert.ok(set.has(uid));
    }),
  );
});

test('two hundred thousand mails in a row are one range', () => {
  const set = new UidSet();
  for (let uid = 1; uid <= 200_000; uid++) set.add(uid);
  assert.equal(set.ranges, 1);
});

test('a From header yields every address it could mean, however it is written', () => {
  const read = (text: string) => readSenders(Buffer.from(text, 'latin1'));
  assert.deepEqual(read('From: HDFC Bank InstaAlerts <Alerts@HDFCBank.bank.in>\r\n\r\n'), [
    'alerts@hdfcbank.bank.in',
  ]);
  assert.deepEqual(read('FROM:\r\n alerts@axis.example\r\n\r\n'), ['alerts@axis.example']);
  assert.deepEqual(read('From: "a@b.example" <c@d.example>\r\n'), ['a@b.example', 'c@d.example']);
  assert.deepEqual(read('From:x@y.example\r\nFrom: z@y.example\r\n'), ['x@y.example', 'z@y.example']);
  assert.deepEqual(read('\r\n'), []);
  assert.deepEqual(readSenders(undefined), []);
});

test('back-off doubles up to half a minute and never falls below half of it', () => {
  const waits = [1, 2, 3, 4, 5, 6, 50].map(failures => backOff(usualPace, failures, () => 0));
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  assert.equal(
    backOff(usualPace, 6, () => 1),
    15000,
  );
});
