import { mostSenderBytes } from './limits.ts';

/**
 * The addresses a From header could mean, lower case. Generous on purpose: it only chooses which mails are fetched
 * whole; whether a mail is the bank's is judged from its signed bytes. A Message-ID looks like an address and is none.
 */
export function readSenders(header: Buffer | undefined): string[] {
  const text = (header ?? Buffer.alloc(0)).subarray(0, mostSenderBytes).toString('latin1').toLowerCase();
  const value = text
    .replace(/\r?\n(?=[ \t])/g, '')
    .replace(/^message-id[ \t]*:.*$/gm, '')
    .replace(/^from[ \t]*:/gm, ' ');
  return [...new Set(value.match(/[^\s<>()[\]",;:\\@]{1,128}@[a-z0-9.-]{1,253}/g) ?? [])];
}
