/**
 * Undoes the transfer encoding of a part that was seen to be well encoded, its lines ended as text has them. The last
 * line has an end whether or not the part gave it one, unless a soft break stands there.
 */
export function decodeTransfer(encoding: string, content: string): Buffer {
  if (content === '') return Buffer.alloc(0);
  if (encoding === 'base64') return Buffer.from(content, 'base64');
  const bytes = Buffer.from(content.endsWith('\r\n') ? content : `${content}\r\n`, 'latin1');
  const isQuoted = encoding === 'quoted-printable';
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === carriageReturn) continue;
    if (byte !== equalsSign || !isQuoted) bytes[end++] = byte;
    else {
      // What an equals sign escapes, or the line break that it takes away, is the two bytes behind it.
      if (bytes[at + 1] !== carriageReturn) bytes[end++] = 16 * digit(bytes[at + 1]!) + digit(bytes[at + 2]!);
      at += 2;
    }
  }
  return bytes.subarray(0, end);
}

const carriageReturn = 0x0d;
const equalsSign = 0x3d;

function digit(hexadecimal: number): number {
  return (hexadecimal & 0x0f) + 9 * (hexadecimal >> 6);
}
