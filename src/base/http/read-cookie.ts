/** Null if missing or sent twice: somebody who can add a cookie must not choose which one counts. */
export function readCookie(header: string | undefined, name: string): string | null {
  const wanted = `${name}=`;
  const found = (header ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(wanted));
  return found.length === 1 ? found[0]!.slice(wanted.length) : null;
}
