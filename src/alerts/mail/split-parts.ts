import { because, type Reason } from '../../texts/verdicts.ts';
import { field, type HeaderField, headerValue } from './split-headers.ts';

/** The most multiparts inside each other. A bank's mail with text, HTML and a logo needs three. */
const maxDepth = 5;
/** Parts of a whole message, including containers. */
const maxParts = 32;
const maxPartHeadBytes = 8 * 1024;

export type Leaf = {
  readonly type: string;
  readonly charset: string | null;
  readonly encoding: string;
  readonly params: ReadonlyMap<string, string>;
  readonly attached: boolean;
  /** Still in its transfer encoding, latin1. */
  readonly content: string;
};

export type PartTree = {
  readonly outcome: 'split';
  readonly leaves: readonly Leaf[];
  /** The number of containers; 0 for a mail with a single part. */
  readonly containers: number;
  /** There is text, not only white space, before a first or after a last boundary. */
  readonly looseText: boolean;
};

export type Refused = { readonly outcome: 'refused'; readonly reason: Reason };

/**
 * Finds a message's parts and refuses a structure that could be read in two ways: a boundary that is missing,
 * repeated, unterminated or only begins a line; too deeply nested containers; mails in mails.
 */
export function splitParts(
  contentType: string | null,
  transferEncoding: string | null,
  body: Buffer,
): PartTree | Refused {
  const leaves: Leaf[] = [];
  const seen = { containers: 0, parts: 0, looseText: false };
  const fields = [
    ...(contentType === null ? [] : [field(`content-type:${contentType}`)]),
    ...(transferEncoding === null ? [] : [field(`content-transfer-encoding:${transferEncoding}`)]),
  ];
  const reason = walk(fields, body.toString('latin1'), 0, leaves, seen);
  if (reason !== null) return { outcome: 'refused', reason };
  return { outcome: 'split', leaves, containers: seen.containers, looseText: seen.looseText };
}

const picture = /^(image\/(?:png|jpe?g|gif|bmp|webp))[ \t]*(?:;|$)/i;

/** Returns why the part is refused, or null after its leaves were added. */
function walk(
  fields: readonly HeaderField[],
  content: string,
  depth: number,
  leaves: Leaf[],
  seen: { containers: number; parts: number; looseText: boolean },
): Reason | null {
  if (++seen.parts > maxParts) return because('too_many_parts', { most: maxParts });
  const label = headerValue({ fields }, 'content-type') ?? 'text/plain';
  // No sentence is read from a picture, so its name may be malformed (`name=Our Logo.png`).
  const image = depth > 0 ? picture.exec(label)?.[1] : undefined;
  if (image !== undefined) {
    const nothing = { charset: null, encoding: 'binary', params: new Map(), content: '' };
    leaves.push({ ...nothing, type: image.toLowerCase(), attached: true });
    return null;
  }
  const type = parseContentType(label);
  const encoding = (headerValue({ fields }, 'content-transfer-encoding') ?? '7bit').toLowerCase();
  const disposition = parseStructured(headerValue({ fields }, 'content-disposition') ?? 'inline', bareToken);
  if (type === null || disposition === null) return because('part_malformed');
  if (!['7bit', '8bit', 'binary', 'quoted-printable', 'base64'].includes(encoding))
    return because('unknown_transfer_encoding');
  if (type.type.startsWith('message/')) return because('mail_in_mail');

  if (!type.type.startsWith('multipart/')) {
    const charset = type.params.get('charset')?.toLowerCase() ?? null;
    const attached = disposition.type !== 'inline';
    leaves.push({ type: type.type, charset, encoding, params: type.params, attached, content });
    return null;
  }

  if (!['7bit', '8bit', 'binary'].includes(encoding)) return because('encoded_multipart');
  if (!['multipart/mixed', 'multipart/alternative', 'multipart/related'].includes(type.type))
    return because('strange_type', { type: type.type });
  if (depth >= maxDepth) return because('nested_parts', { most: maxDepth });
  seen.containers++;
  const parts = cutAtBoundary(type, content, seen);
  if (!Array.isArray(parts)) return parts;
  for (const part of parts) {
    const cut = cutPartHead(part);
    if (cut === null) return because('bad_part_headers');
    const reason = walk(cut.fields, cut.content, depth + 1, leaves, seen);
    if (reason !== null) return reason;
  }
  return null;
}

function cutAtBoundary(type: ContentType, content: string, seen: { looseText: boolean }): string[] | Reason {
  const boundary = type.params.get('boundary') ?? '';
  if (!/^[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]$/.test(boundary))
    return because('no_boundary');

  const delimiter = `--${boundary}`;
  const parts: string[][] = [];
  const preamble: string[] = [];
  const epilogue: string[] = [];
  let current = preamble;
  for (const line of content.split('\r\n')) {
    if (!line.startsWith(delimiter)) {
      current.push(line);
      continue;
    }
    const rest = line.slice(delimiter.length).trimEnd();
    if (current === epilogue) return because('text_after_parts');
    if (rest === '--') current = epilogue;
    else if (rest === '') {
      current = [];
      parts.push(current);
    } else return because('false_boundary');
    if (parts.length > maxParts) return because('too_many_parts', { most: maxParts });
  }
  if (current !== epilogue) return because('parts_cut_off');
  if (parts.length === 0) return because('no_parts');
  if ([...preamble, ...epilogue].some(line => line.trim() !== '')) seen.looseText = true;
  return parts.map(lines => lines.join('\r\n'));
}

/** A part's header block, as strict as the message's: one of each, no odd line. */
function cutPartHead(part: string): { fields: HeaderField[]; content: string } | null {
  if (part.startsWith('\r\n') || part === '') return { fields: [], content: part.slice(2) };
  const end = part.indexOf('\r\n\r\n');
  if (end < 0 || end > maxPartHeadBytes) return null;
  const lines = part
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  if (!lines.every(line => /^[\x21-\x39\x3b-\x7e]+:/.test(line))) return null;
  const fields = lines.map(field);
  const names = fields.map(one => one.name).filter(name => name.startsWith('content-'));
  return new Set(names).size === names.length ? { fields, content: part.slice(end + 4) } : null;
}

export type ContentType = { readonly type: string; readonly params: ReadonlyMap<string, string> };

const token = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]+";
const start = new RegExp(`^(${token}/${token})[ \\t]*(?=;|$)`);
/** Unquoted values may contain `=` and `/`, as some mailers' boundaries do; all readers agree on them. */
const parameter =
  /^;[ \t]*([A-Za-z0-9!#$%&'*+.^_`{|}~-]+)=(?:"((?:[^"\\\x00-\x1f]|\\[\x20-\x7e])*)"|([A-Za-z0-9!#$%&'*+./=^_`{|}~-]+))[ \t]*(?=;|$)/;

/**
 * Reads Content-Type or Content-Disposition strictly. Readers differ on a repeated parameter, a comment, and charset
 * or boundary in the RFC 2231 spelling (`charset*=`, `boundary*0=`), so these are refused.
 */
export function parseContentType(value: string): ContentType | null {
  return parseStructured(value, start);
}

const bareToken = new RegExp(`^(${token})[ \\t]*(?=;|$)`);

function parseStructured(value: string, first: RegExp): ContentType | null {
  const type = first.exec(value);
  if (!type) return null;
  const params = new Map<string, string>();
  let rest = value.slice(type[0].length);
  while (!/^[ \t;]*$/.test(rest)) {
    const found = parameter.exec(rest);
    if (!found) return null;
    const name = found[1]!.toLowerCase();
    if (params.has(name) || /^(?:charset|boundary)\*/.test(name)) return null;
    params.set(name, found[2]?.replace(/\\(.)/g, '$1') ?? found[3]!);
    rest = rest.slice(found[0].length);
  }
  return { type: type[1]!.toLowerCase(), params };
}

/**
 * Decodes a part whose encoding was checked, with line ends as in text. The last line always gets an end, unless a
 * soft break is there.
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
      // The two bytes after an equals sign are the escaped byte, or the line break that it removes.
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
