import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import type { EntryRefusal } from './draft-entry.ts';

/** Why there is no draft yet, for a person who never saw a template. */
export function sayRefusal(texts: Texts, refusal: EntryRefusal): string {
  const { refusals, marks } = texts.workshop;
  const reason = 'reason' in refusal ? sayReason(texts.tag, refusal.reason) : '';
  const said = refusals[refusal.code];
  const facts = {
    mark: 'mark' in refusal ? marks[refusal.mark] : '',
    value: 'value' in refusal ? refusal.value : '',
    detail: 'detail' in refusal ? refusal.detail : reason,
  };
  return typeof said === 'string' ? said : said(facts);
}
