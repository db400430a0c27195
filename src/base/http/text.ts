/** PostgreSQL refuses U+0000, and a lone surrogate would silently turn two different ids into one. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** The beginning of a stranger's words, with what could not be stored replaced. */
export function storable(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\u0000', '\ufffd');
}

/** Lengths in the specification are characters as people count them on a keyboard: code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
