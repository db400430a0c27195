import { because, type Reason } from '../../texts/verdicts.ts';

/** What a template may name. Nothing that a payer wrote is among it. */
export const placeholders = ['text', 'amount', 'order', 'topic', 'business', 'link', 'time'] as const;
export type ChatWords = Record<(typeof placeholders)[number], string>;

/** In JSON a brace is never followed by a bare word, so a placeholder is one wherever it stands. */
const place = /\{(\w+)\}/g;

/** Every placeholder by its words, escaped as JSON wants them inside quotes. */
export function fillTemplate(template: string, words: ChatWords): string {
  return template.replaceAll(place, (_, name: keyof ChatWords) => JSON.stringify(words[name]).slice(1, -1));
}

/** What is wrong with a template; null when it will always give valid JSON. */
export function templateProblem(template: string): Reason | null {
  const known: readonly string[] = placeholders;
  const unknown = [...template.matchAll(place)].find(([, name = '']) => !known.includes(name));
  if (unknown) return because('template_unknown', { name: unknown[0], known: `{${known.join('} {')}}` });
  try {
    // A number would do without quotes and an empty text would not: what is valid with a letter is valid with all.
    JSON.parse(fillTemplate(template, Object.fromEntries(known.map(name => [name, 'x'])) as ChatWords));
    return null;
  } catch {
    return because('template_not_json');
  }
}
