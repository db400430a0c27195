import test from 'node:test';
import { tryEverydayText, wordings } from './everyday-text.ts';

test('a payment is read with every everyday line above or below it, at every wording', t => {
  t.diagnostic(`${tryEverydayText(1)} mails of ${wordings.length} wordings, all pay`);
});
