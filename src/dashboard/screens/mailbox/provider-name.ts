import type { Provider } from '../../../mailboxes/providers.ts';
import type { Language } from '../../../texts/languages.ts';
import { sayReason } from '../../../texts/say.ts';
import { because } from '../../../verdicts.ts';

/** Companies are called alike in every language; a server of one's own is not. */
export function providerName(language: Language, { id, name }: Provider): string {
  return id === 'other' ? sayReason(language, because('another_server')) : name;
}
