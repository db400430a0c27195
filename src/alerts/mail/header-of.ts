/** The value of a header field of one of our own mails, unfolded; null where it has none or more than one. */
export function headerOf(raw: Buffer, name: string): string | null {
  const field = new RegExp(`^${name}:([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, 'gim');
  const found = [...headOf(raw).matchAll(field)].map(([, value = '']) => value.replace(/\r?\n/g, '').trim());
  return found.length === 1 ? found[0]! : null;
}

const mostHeadBytes = 64 * 1024;

/** The header fields of a mail that nobody has judged, as they arrived. */
export function headOf(raw: Buffer): string {
  const text = raw.subarray(0, mostHeadBytes).toString('latin1');
  return text.slice(0, text.search(/\r?\n\r?\n/) >>> 0);
}
