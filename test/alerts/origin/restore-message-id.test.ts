import assert from 'node:assert/strict';
import test from 'node:test';
import { sentence } from '../../support/alert-banks.ts';
import { altered, expectVerdict, judge, linesWith, onTop, signedAlert } from '../../support/genuine-alert.ts';

const body = `${sentence}\r\n`;
const everything = ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];

test('refolding, re-casing and a new Message-ID do not change the replay key', async () => {
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

test('HDFC’s malformed Message-ID, replaced by Gmail, is restored before the signature check', async () => {
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
  assert.equal(judgement.verdict, 'credit', judgement.reason.code);
  assert.equal(judgement.asked.length, 1);

  const wrong = altered(stored, 'Original-Message-ID: A.1', 'Original-Message-ID: A.2');
  await expectVerdict(wrong, 'forged', /changed on its way/);
  const doubled = onTop(stored, 'X-Google-Original-Message-ID: A.17793885.1.0.0.1#merchant@shop.in');
  await expectVerdict(doubled, 'forged', /changed on its way/);
  await expectVerdict(
    altered(stored, 'SMTPIN_ADDED_BROKEN@mx', 'SMTPIN_ADDED_BROKEN@my'),
    'forged',
    /changed on its way/,
  );
});

test('a Message-ID that Gmail added to a mail without one is removed before the check', async () => {
  const names = [...everything, 'message-id'];
  const sent = signedAlert(linesWith({ 'Message-ID': null }), body, { names });
  const stored = onTop(sent, 'Message-ID: <6a1d.SMTPIN_ADDED_MISSING@mx.google.com>');
  assert.equal((await judge(stored)).verdict, 'credit');
});
