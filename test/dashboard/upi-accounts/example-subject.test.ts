import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { exampleSubject } from '../../../src/dashboard/first-steps/bank-step.ts';

test('a subject is shown as it is in the inbox', () => {
  assert.equal(
    exampleSubject('INR {amount} was credited to your A/c[ no. {account}]'),
    'INR 500.37 was credited to your A/c no. XX1234',
  );
  assert.equal(exampleSubject('[View: ]Account update \\[new\\]'), 'View: Account update [new]');
  assert.equal(exampleSubject('{Credit|Deposit} alert'), 'Credit alert');
  assert.equal(exampleSubject('{any}'), null);
});

test('every subject of every bank: its template still reads the example, and no sign of a template is left', () => {
  for (const { id, templates } of loadBanks(null)) {
    for (const { subject, written } of templates) {
      for (const text of written.subjects) {
        const example = exampleSubject(text);
        if (example === null) continue;
        assert.doesNotMatch(example, /[{}[\]\\|]/, id);
        assert.match(example, subject, id);
      }
    }
  }
});
