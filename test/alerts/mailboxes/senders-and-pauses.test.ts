import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSenders } from '../../../src/alerts/mail/split-headers.ts';
import { backOff, usualPace } from '../../../src/alerts/mailboxes/pace.ts';

test('a From header yields every address that it could mean', () => {
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
