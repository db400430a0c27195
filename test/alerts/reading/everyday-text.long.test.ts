import test from 'node:test';
import { tryEverydayText, wordings } from './everyday-text.ts';

test('no everyday line above or below keeps a payment from being read, at any wording', t => {
  t.diagnostic(`${tryEverydayText(1)} mails of ${wordings.length} wordings, all pay`);
});
