import type { FastifyRequest } from 'fastify';
import { isStorable } from './text.ts';

export const mostFields = 200;
const mostValueLength = 20_000;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** A form's or query's fields: only text, trimmed, well-formed and bounded. A missing field is empty. */
export class Form {
  private readonly fields: ReadonlyMap<string, readonly string[]>;
  private readonly files: ReadonlyMap<string, Buffer>;

  constructor(
    fields: ReadonlyMap<string, readonly string[]>,
    files: ReadonlyMap<string, Buffer> = new Map(),
  ) {
    this.fields = fields;
    this.files = files;
  }

  /** A chosen file's bytes; null without a file or for an empty one. */
  file(name: string): Buffer | null {
    const bytes = this.files.get(name);
    return bytes === undefined || bytes.length === 0 ? null : bytes;
  }

  /** The trimmed text; empty if the field is missing or sent twice. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** The untrimmed text, for passwords. */
  raw(name: string): string {
    const values = this.fields.get(name) ?? [];
    return values.length === 1 ? values[0]! : '';
  }

  all(name: string): readonly string[] {
    return this.fields.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }
}

export const emptyForm = new Form(new Map());

/** Returns null for a body of another type. */
export function readForm(request: FastifyRequest): Form | null {
  if (!formType.test(request.headers['content-type'] ?? '')) return emptyBody(request) ? emptyForm : null;
  if (!Buffer.isBuffer(request.body)) return emptyForm;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.body);
  } catch {
    return null;
  }
  return parseForm(text);
}

export function parseForm(text: string): Form | null {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > mostFields || value.length > mostValueLength) return null;
    if (!isStorable(name) || !isStorable(value)) return null;
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return new Form(fields);
}

function emptyBody(request: FastifyRequest): boolean {
  return request.body === undefined || request.body === null || (request.body as Buffer).length === 0;
}
