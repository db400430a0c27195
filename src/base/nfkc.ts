/** A long run of marks is cut before, because NFKC sorts it in quadratic time; it makes marks of U+FF9E and U+FF9F too. */
export function nfkc(text: string): string {
  return text.replace(/([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu, '$1').normalize('NFKC');
}
