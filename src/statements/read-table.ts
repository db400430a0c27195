import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { StatementFault } from './table-limits.ts';

/** The rows of a bank's file, whatever it calls itself: its first bytes tell what it is. */
export async function readTable(bytes: Buffer): Promise<string[][]> {
  if (bytes.length === 0) throw new StatementFault('empty');
  if (startsWith(bytes, 'PK\x03\x04')) return await readXlsx(bytes);
  // Also an XLSX with a password, which is packed into the same old form.
  if (startsWith(bytes, '\xd0\xcf\x11\xe0')) throw new StatementFault('old_excel');
  if (startsWith(bytes, '%PDF')) throw new StatementFault('pdf');
  const text = decode(bytes);
  // Some banks call a web page .xls.
  if (/^\s*<(?:!doctype|html|\?xml|table|meta|head)\b/i.test(text)) throw new StatementFault('web_page');
  return readCsv(text);
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));
}

/** UTF-16 says so at its start; what is not UTF-8 is the old code of Windows. Neither has a zero byte in its text. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encodings =
    mark === 'fffe' ? ['utf-16le'] : mark === 'feff' ? ['utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (text.includes('\0')) break;
      return text;
    } catch {}
  }
  throw new StatementFault('not_text');
}
