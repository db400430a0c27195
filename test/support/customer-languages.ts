import { readFileSync } from 'node:fs';

/** The facts of a customer language that tests need; `evening` is 2026-11-15T13:35Z as it says that moment. */
export type CustomerLanguageFacts = {
  name: string;
  script: string;
  font: string;
  fontPackage: string;
  evening: string;
};

export function languageIn(tag: string): CustomerLanguageFacts {
  return JSON.parse(readFileSync(`src/texts/customers/${tag}/language.json`, 'utf8'));
}
