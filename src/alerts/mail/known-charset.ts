/** The character sets that banks write in, with the spellings of each that mean nothing else. */
const charsets: ReadonlyMap<string, string> = new Map([
  ...['utf-8', 'utf8'].map(name => [name, 'utf-8'] as const),
  ...['us-ascii', 'ascii', 'ansi_x3.4-1968'].map(name => [name, 'us-ascii'] as const),
  ...['iso-8859-1', 'iso8859-1', 'iso_8859-1', 'latin1'].map(name => [name, 'iso-8859-1'] as const),
  ...['windows-1252', 'cp1252', 'cp-1252'].map(name => [name, 'windows-1252'] as const),
]);

/** One of the four character sets we read, or null: in any other, the same bytes could be made to say something else. */
export function knownCharset(name: string): string | null {
  return charsets.get(name.toLowerCase()) ?? null;
}
