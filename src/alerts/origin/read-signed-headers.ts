/** Values of the header fields that the signature covers. Nothing else of the header is ever believed. */
export type SignedHeaders = {
  readonly from: string;
  readonly subject: string;
  readonly to: string | null;
  readonly cc: string | null;
  readonly date: string | null;
  readonly contentType: string | null;
  readonly transferEncoding: string | null;
};

/**
 * Reads the header fields out of the very bytes that were put through the signature check. A field put on top of a
 * genuine mail leaves the signature valid, and MIME libraries show the forged one; here it does not exist.
 */
export function readSignedHeaders(canonical: string, signedNames: readonly string[]): SignedHeaders | null {
  const fields = canonical.split(/\r\n(?![ \t])/).map(line => {
    const colon = line.indexOf(':');
    return {
      name: line.slice(0, colon).trim().toLowerCase(),
      value: line
        .slice(colon + 1)
        .replaceAll('\r\n', '')
        .trim(),
    };
  });
  if (fields.pop()?.name !== 'dkim-signature') return null;

  const valuesOf = (name: string) => fields.filter(field => field.name === name).map(field => field.value);
  const once = (name: string) => valuesOf(name)[0] ?? null;
  const names = ['from', 'subject', 'to', 'cc', 'date', 'content-type', 'content-transfer-encoding'];
  if (names.some(name => valuesOf(name).length > 1)) return null;

  const from = once('from');
  // A name in h= without its header is signed for as absent: nobody can add a subject later.
  const subject = once('subject') ?? (signedNames.includes('subject') ? '' : null);
  if (from === null || subject === null) return null;
  return {
    from,
    subject,
    to: once('to'),
    cc: once('cc'),
    date: once('date'),
    contentType: once('content-type'),
    transferEncoding: once('content-transfer-encoding'),
  };
}
