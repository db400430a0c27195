import { codePoints } from '../../base/http/text.ts';

export const longestBusinessName = 120;

/** A name that customers will read; null when it is empty, too long, or hides control characters. */
export function readBusinessName(text: string): string | null {
  const name = text.trim();
  return name !== '' && codePoints(name) <= longestBusinessName && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)
    ? name
    : null;
}
