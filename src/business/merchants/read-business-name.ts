import { readName } from '../../base/read-name.ts';

export const longestBusinessName = 120;

/** A name that customers will read; null when it is empty or too long, or hides something. */
export function readBusinessName(text: string): string | null {
  return readName(text, longestBusinessName);
}
