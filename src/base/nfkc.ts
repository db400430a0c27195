/** Shortens runs of marks: NFKC sorts them in quadratic time, and turns U+FF9E and U+FF9F into marks too. */
export function nfkc(text: string): string {
  return text.replace(/([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu, '$1').normalize('NFKC');
}
