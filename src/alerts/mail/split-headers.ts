import { because, type Reason } from '../../texts/verdicts.ts';
import { mostMailBytes, mostSenderBytes } from './limits.ts';

/** Bytes of the header block. Genuine alerts stay below 10 KiB, with all that Gmail adds. */
export const maxHeadBytes = 64 * 1024;
/** A genuine alert has one or two. More would make us send DNS queries for a stranger. */
export const maxSignatures = 8;
/** Header lines with spaces in their name that are left out. Kotak writes one. */
const maxForeignLines = 4;

export type HeaderField = {
  /** The name in lower case. */
  readonly name: string;
  /** The whole unchanged field in latin1, with continuation lines, without the last CRLF. */
  readonly raw: string;
  /** The value after the colon in latin1, unfolded, without outer blanks. */
  readonly value: string;
};

export type SplitMail = {
  readonly outcome: 'split';
  readonly fields: readonly HeaderField[];
  readonly body: Buffer;
  /** The message for all later steps: the given bytes without the foreign header lines. */
  readonly raw: Buffer;
};

type Refusal = {
  readonly outcome: 'refused';
  readonly verdict: 'forged' | 'unreadable';
  readonly reason: Reason;
};

/** A second copy of these headers would let two programs read two mails in one. */
const atMostOnce = [
  'from',
  'sender',
  'to',
  'cc',
  'date',
  'subject',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
];

const fieldStart = /^[\x21-\x39\x3b-\x7e]+:/;
const foreignStart = /^([A-Za-z][A-Za-z0-9-]*(?: [A-Za-z0-9-]+)+):/;

/**
 * Splits a message into header fields and body, and refuses anything that two mail programs could split differently.
 * It must run before the signature check, because DKIM libraries accept bare LF and `To :`, and join odd lines.
 */
export function splitHeaders(raw: Buffer): SplitMail | Refusal {
  if (raw.length > mostMailBytes) return refuse('unreadable', because('message_too_large'));
  const text = raw.toString('latin1');
  if (text.includes('\0')) return refuse('forged', because('nul_byte'));
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) return refuse('forged', because('bad_line_ends'));

  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return refuse('unreadable', because('no_end_of_headers'));
  if ((text.slice(0, end).match(/^dkim-signature:/gim)?.length ?? 0) > maxSignatures)
    return refuse('forged', because('too_many_signatures', { most: maxSignatures }));
  if (end > maxHeadBytes) return refuse('unreadable', because('headers_too_large'));

  const fields: HeaderField[] = [];
  let foreign = 0;
  for (const raw of joinFolded(text.slice(0, end))) {
    if (fieldStart.test(raw)) fields.push(field(raw));
    else if (isForeign(raw) && foreign < maxForeignLines) foreign++;
    else return refuse('forged', because('bad_header_line'));
    if (/\r\n[ \t]*(?:\r\n|$)/.test(raw)) return refuse('forged', because('empty_header_line'));
  }

  for (const name of atMostOnce)
    if (fields.filter(field => field.name === name).length > 1)
      return refuse('forged', because('repeated_header', { header: properName(name) }));
  const body = raw.subarray(end + 4);
  return { outcome: 'split', fields, body, raw: foreign === 0 ? raw : joinMail(fields, body) };
}

/** Writes a message from its fields, after a line was left out or restored before the signature check. */
export function joinMail(fields: readonly HeaderField[], body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${fields.map(field => field.raw).join('\r\n')}\r\n\r\n`, 'latin1'),
    body,
  ]);
}

export function field(raw: string): HeaderField {
  const colon = raw.indexOf(':');
  return {
    name: raw.slice(0, colon).toLowerCase(),
    raw,
    value: raw
      .slice(colon + 1)
      .replaceAll('\r\n', '')
      .trim(),
  };
}

/** A header's value, or null; `splitHeaders` has refused a second copy. */
export function headerValue({ fields }: Pick<SplitMail, 'fields'>, name: string): string | null {
  return fields.find(field => field.name === name)?.value ?? null;
}

function joinFolded(head: string): string[] {
  const joined: string[][] = [];
  for (const line of head.split('\r\n')) {
    const last = joined.at(-1);
    if (/^[ \t]/.test(line) && last) last.push(line);
    else joined.push([line]);
  }
  return joined.map(lines => lines.join('\r\n'));
}

/**
 * Kotak's genuine mails contain a line such as `Account Balance - Weekly: UTF-8`. No h= can name it, so it is never
 * signed. It is left out before anything reads the message, and the signature decides over the rest. A blank before
 * the colon (`To :`) stays refused, and so does a name that another program could take for a known header.
 */
function isForeign(raw: string): boolean {
  const name = foreignStart.exec(raw)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const ours = new Set([...atMostOnce, 'bcc', 'dkim-signature', 'x-google-original-message-id']);
  return !ours.has(name.replaceAll(' ', '')) && !ours.has(name.split(' ')[0]!);
}

function properName(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}

function refuse(verdict: 'forged' | 'unreadable', reason: Reason): Refusal {
  return { outcome: 'refused', verdict, reason };
}

/** A file saved by hand often lost the CR of every line end. A file with a CR is taken unchanged. */
export function withMailLineEnds(raw: Buffer): Buffer {
  return raw.includes('\r') ? raw : Buffer.from(raw.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

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
