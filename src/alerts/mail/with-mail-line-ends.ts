/** A file saved by hand often lost the CR of every line end; one that kept a single CRLF is taken as it stands. */
export function withMailLineEnds(raw: Buffer): Buffer {
  return raw.includes('\r') ? raw : Buffer.from(raw.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}
