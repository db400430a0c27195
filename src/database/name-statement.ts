import { createHash } from 'node:crypto';

/** A prepared statement is planned once a connection. Texts are few: they differ by their optional parts alone. */
const names = new Map<string, string>();
const mostNames = 1000;

/**
 * The name says the text. Behind a pooler that hands out connections on which somebody else prepared something, a
 * name of ours is then unknown or means the same text, and can never run another process's statement.
 */
export function nameStatement(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= mostNames) return undefined;
  const name = `milaan_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
