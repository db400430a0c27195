import test from 'node:test';
import { tryBanksWords, tryUnescapedRows } from './payers-rows.ts';
import { tryUnescapedNames } from './unescaped-names.ts';

test('no unescaped name changes a fact, at any wording, in any row and with anything that hides words', t => {
  t.diagnostic(`${tryUnescapedNames(1)} mails of sentences, none moved`);
  t.diagnostic(`${tryUnescapedRows(1) + tryBanksWords(1)} mails of rows, none moved`);
});
