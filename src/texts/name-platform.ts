import { languages } from './languages.ts';
import { productName } from './product-name.ts';

/** Where our name means the service. Elsewhere it means its makers, or, in Hindi, comparing. */
const sections = ['box', 'business', 'evidence', 'firstSteps', 'money', 'pushes'] as const;

/**
 * The operator's own name for the service takes the place of ours in every language. Said once, by the door, before
 * anybody is spoken to: texts are the one thing that belongs to the whole process.
 */
export function namePlatform(name: string): void {
  const before = new RegExp(Object.values(productName).join('|'), 'g');
  for (const texts of languages) for (const section of sections) rename(texts[section], before, name);
  productName.en = name;
  productName.hi = name;
}

/** Functions are left alone: what they are given may hold the word by itself. */
function rename(texts: object, before: RegExp, name: string): void {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') Object.assign(texts, { [key]: value.replace(before, () => name) });
    else if (typeof value === 'object' && value !== null) rename(value, before, name);
  }
}
