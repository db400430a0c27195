/** PostgreSQL refuses U+0000, and lone surrogates would turn two different ids into one. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** Cuts untrusted text and replaces what PostgreSQL cannot store. */
export function storable(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\u0000', '\ufffd');
}

/** The specification counts lengths in code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
