import test from 'node:test';
import { tryUnescapedNames } from './unescaped-names.ts';

test('an unescaped name that ends the sentence and hides the bank’s end changes no fact, at any wording', t => {
  t.diagnostic(`${tryUnescapedNames(7)} mails, none moved`);
});
