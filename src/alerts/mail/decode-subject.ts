/** The limit for the header's bytes before decoding. */
const maxSubjectBytes = 4096;
const encodedWord = /=\?([A-Za-z0-9-]+)(?:\*[A-Za-z-]+)?\?([BbQq])\?([!-~]*?)\?=/g;

/**
 * Decodes a signed Subject (RFC 2047). Null if it is malformed or in a character set that we do not read. A template
 * is compared with the whole subject, so a half-decoded one must not look like another.
 */
export function decodeSubject(value: string): string | null {
  if (value.length > maxSubjectBytes) return null;
  // Blanks between two encoded words belong to the encoding, not to the text.
  const joined = value.replace(/(\?=)[ \t]+(?==\?)/g, '$1');
  const pieces: string[] = [];
  let pending: { charset: string; bytes: Buffer } | null = null;
  let at = 0;
  for (const word of joined.matchAll(encodedWord)) {
    const bytes = decodeBytes(word[2]!.toLowerCase(), word[3]!);
    const charset = knownCharset(word[1]!);
    if (bytes === null || charset === null) return null;
    const between = joined.slice(at, word.index);
    // Mailers split a character between two words, so adjacent words are decoded together.
    if (pending && between === '' && pending.charset === charset)
      pending = { charset, bytes: Buffer.concat([pending.bytes, bytes]) };
    else {
      if (
        !flush(pieces, pending) ||
        !flush(pieces, { charset: 'utf-8', bytes: Buffer.from(between, 'latin1') })
      )
        return null;
      pending = { charset, bytes };
    }
    at = word.index + word[0].length;
  }
  if (!flush(pieces, pending)) return null;
  if (!flush(pieces, { charset: 'utf-8', bytes: Buffer.from(joined.slice(at), 'latin1') })) return null;
  const subject = pieces.join('');
  return /[\0\r\n]/.test(subject) ? null : subject;
}

function decodeBytes(encoding: string, text: string): Buffer | null {
  if (encoding === 'b')
    return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
  if (/=(?![0-9A-Fa-f]{2})/.test(text)) return null;
  return Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function flush(pieces: string[], word: { charset: string; bytes: Buffer } | null): boolean {
  if (word === null) return true;
  if (word.charset === 'us-ascii' && word.bytes.some(byte => byte > 0x7f)) return false;
  try {
    pieces.push(new TextDecoder(word.charset, { fatal: true }).decode(word.bytes));
    return true;
  } catch {
    return false;
  }
}

/** The character sets that banks use, with each one's unambiguous spellings. */
const charsets: ReadonlyMap<string, string> = new Map([
  ...['utf-8', 'utf8'].map(name => [name, 'utf-8'] as const),
  ...['us-ascii', 'ascii', 'ansi_x3.4-1968'].map(name => [name, 'us-ascii'] as const),
  ...['iso-8859-1', 'iso8859-1', 'iso_8859-1', 'latin1'].map(name => [name, 'iso-8859-1'] as const),
  ...['windows-1252', 'cp1252', 'cp-1252'].map(name => [name, 'windows-1252'] as const),
]);

/** One of four character sets, or null: in any other, the same bytes could be made to say something else. */
export function knownCharset(name: string): string | null {
  return charsets.get(name.toLowerCase()) ?? null;
}
