import type { CustomerTexts } from './customer-texts.ts';
import { insertFacts } from './insert-facts.ts';

type Spoken = CustomerTexts['spoken'];

/** From the largest unit down. Nobody says "1,50,000 rupees" in digits, and voices read it in millions. */
const units = [
  ['crore', 1_00_00_000],
  ['lakh', 1_00_000],
  ['thousand', 1_000],
] as const satisfies readonly (readonly [keyof Spoken, number])[];

/** A received sum as people say it: 1 lakh 50 thousand rupees. Paise are said if asked for, or if there is nothing else. */
export function sayReceived(spoken: Spoken, paise: number, { withPaise }: { withPaise: boolean }): string {
  const [rupees, rest] = [Math.floor(paise / 100), paise % 100];
  const said = countInWords(spoken, rupees);
  return rest !== 0 && (withPaise || rupees === 0)
    ? insertFacts(spoken.receivedPaise, { rupees: said, paise: String(rest) })
    : insertFacts(spoken.received, { rupees: said });
}

function countInWords(spoken: Spoken, count: number): string {
  const parts: string[] = [];
  let left = count;
  for (const [unit, size] of units) {
    const many = Math.floor(left / size);
    left %= size;
    if (many > 0) parts.push(insertFacts(spoken[unit], { n: String(many) }));
  }
  if (left > 0 || parts.length === 0) parts.push(String(left));
  return parts.join(' ');
}
