/** Long enough for an explanation. */
export const longestNote = 500;

/** A person's words, as a row keeps them: PostgreSQL refuses NUL, and half a surrogate pair is no text. */
export function storableNote(text: string): string {
  return [...text.toWellFormed().replace(/\p{Cc}+/gu, ' ')].slice(0, longestNote).join('').trim();
}
