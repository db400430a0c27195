import { mostSenderBytes } from './limits.ts';

/** The unfolded value of a header in one of our own mails; null if it is missing or repeated. */
export function headerOf(raw: Buffer, name: string): string | null {
  const field = new RegExp(`^${name}:([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, 'gim');
  const found = [...headOf(raw).matchAll(field)].map(([, value = '']) => value.replace(/\r?\n/g, '').trim());
  return found.length === 1 ? found[0]! : null;
}

const mostHeadBytes = 64 * 1024;

/** The header fields of a mail before it is judged, as they arrived. */
export function headOf(raw: Buffer): string {
  const text = raw.subarray(0, mostHeadBytes).toString('latin1');
  return text.slice(0, text.search(/\r?\n\r?\n/) >>> 0);
}

/**
 * The addresses that a From header could mean, in lower case. It is generous, because it only decides which mails are
 * fetched whole; the signed bytes prove the bank. A Message-ID looks like an address but is none.
 */
export function readSenders(header: Buffer | undefined): string[] {
  const text = (header ?? Buffer.alloc(0)).subarray(0, mostSenderBytes).toString('latin1').toLowerCase();
  const value = text
    .replace(/\r?\n(?=[ \t])/g, '')
    .replace(/^message-id[ \t]*:.*$/gm, '')
    .replace(/^from[ \t]*:/gm, ' ');
  return [...new Set(value.match(/[^\s<>()[\]",;:\\@]{1,128}@[a-z0-9.-]{1,253}/g) ?? [])];
}
