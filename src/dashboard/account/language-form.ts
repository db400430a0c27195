import type { Html } from '../../base/http/html.ts';
import { languages } from '../../texts/languages.ts';
import { hidden, postForm, selectField } from '../frame/controls.ts';
import type { Visit } from '../frame/route.ts';

/** The person's language, chosen on whichever page is `next`. */
export function languageForm({ texts, user }: Visit, next: string): Html {
  const { account, shell } = texts;
  const choices = [
    { value: '', text: account.languageBrowser },
    ...languages.map(({ tag, language }) => ({ value: tag, text: language })),
  ];
  return postForm('/dashboard/account/language', shell.save, [
    hidden({ next }),
    selectField('language', account.language, { value: user.language ?? '', choices }),
  ]);
}
