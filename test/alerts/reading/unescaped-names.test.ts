import test from 'node:test';
import { tryUnescapedNames } from './unescaped-names.ts';

test('an unescaped name that ends the sentence itself and hides the bank’s end moves nothing, at any wording', t => {
  t.diagnostic(`${tryUnescapedNames(7)} mails, none moved`);
});
