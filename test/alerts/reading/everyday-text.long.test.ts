import test from 'node:test';
import { tryEverydayText, wordings } from './everyday-text.ts';

test('every everyday line above and below takes no payment away, at any wording', t => {
  t.diagnostic(`${tryEverydayText(1)} mails of ${wordings.length} wordings, all pay`);
});
