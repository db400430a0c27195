/** A JSON value with its line number, so that errors in a hand-written file can name the line. */
export type Lined =
  | { readonly line: number; readonly kind: 'text'; readonly text: string }
  | { readonly line: number; readonly kind: 'flag'; readonly flag: boolean }
  | { readonly line: number; readonly kind: 'list'; readonly items: readonly Lined[] }
  | { readonly line: number; readonly kind: 'object'; readonly fields: ReadonlyMap<string, Lined> }
  | { readonly line: number; readonly kind: 'number'; readonly number: number }
  | { readonly line: number; readonly kind: 'null' };

export class BanksFileError extends Error {
  readonly line: number;
  constructor(line: number, complaint: string) {
    super(`line ${line}: ${complaint}`);
    this.line = line;
  }
}

const deepest = 12;

export function readJsonWithLines(text: string): Lined {
  const reader = { text: text.replace(/^\uFEFF/, ''), at: 0, line: 1 };
  const value = readValue(reader, 0);
  skipSpace(reader);
  if (reader.at < reader.text.length) fail(reader, 'there is text after the end of the JSON value');
  return value;
}

type Reader = { readonly text: string; at: number; line: number };

function readValue(reader: Reader, depth: number): Lined {
  if (depth > deepest) fail(reader, `is nested deeper than ${deepest} levels`);
  skipSpace(reader);
  const { line } = reader;
  const next = reader.text[reader.at];
  if (next === '{') return { line, kind: 'object', fields: readObject(reader, depth) };
  if (next === '[') return { line, kind: 'list', items: readList(reader, depth) };
  if (next === '"') return { line, kind: 'text', text: readString(reader) };
  const word = /(?:true|false|null|-?[0-9.eE+-]+)/y;
  word.lastIndex = reader.at;
  const found = word.exec(reader.text)?.[0];
  if (found === undefined)
    return fail(reader, next === undefined ? 'the file ends too early' : `unexpected "${next}"`);
  reader.at += found.length;
  if (found === 'true' || found === 'false') return { line, kind: 'flag', flag: found === 'true' };
  return found === 'null' ? { line, kind: 'null' } : { line, kind: 'number', number: Number(found) };
}

function readObject(reader: Reader, depth: number): Map<string, Lined> {
  const fields = new Map<string, Lined>();
  reader.at += 1;
  if (closes(reader, '}')) return fields;
  do {
    skipSpace(reader);
    if (reader.text[reader.at] !== '"') fail(reader, 'expected a field name in double quotes');
    const name = readString(reader);
    if (fields.has(name)) fail(reader, `has the field "${name}" twice`);
    skipSpace(reader);
    if (reader.text[reader.at] !== ':') fail(reader, `expected a ":" after "${name}"`);
    reader.at += 1;
    fields.set(name, readValue(reader, depth + 1));
  } while (continues(reader, '}'));
  return fields;
}

function readList(reader: Reader, depth: number): Lined[] {
  const items: Lined[] = [];
  reader.at += 1;
  if (closes(reader, ']')) return items;
  do items.push(readValue(reader, depth + 1));
  while (continues(reader, ']'));
  return items;
}

function readString(reader: Reader): string {
  const shape = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
  shape.lastIndex = reader.at;
  const found = shape.exec(reader.text)?.[0];
  if (found === undefined) return fail(reader, 'a text in double quotes does not end on its line');
  reader.at += found.length;
  try {
    return JSON.parse(found) as string;
  } catch {
    return fail(reader, `${found} is not a valid JSON text`);
  }
}

function closes(reader: Reader, char: string): boolean {
  skipSpace(reader);
  if (reader.text[reader.at] !== char) return false;
  reader.at += 1;
  return true;
}

function continues(reader: Reader, char: string): boolean {
  if (closes(reader, char)) return false;
  if (reader.text[reader.at] !== ',') fail(reader, `expected "," or "${char}"`);
  reader.at += 1;
  return true;
}

function skipSpace(reader: Reader): void {
  while (/[ \t\r\n]/.test(reader.text[reader.at] ?? '')) {
    if (reader.text[reader.at] === '\n') reader.line += 1;
    reader.at += 1;
  }
}

function fail(reader: Reader, complaint: string): never {
  throw new BanksFileError(reader.line, complaint);
}

const mostOfOneKind = 200;

type Fields = ReadonlyMap<string, Lined>;

export function objectOf(value: Lined, what: string, known: readonly string[]): Fields {
  if (value.kind !== 'object') throw new BanksFileError(value.line, `${what} must be an object`);
  for (const [name, field] of value.fields)
    if (!known.includes(name)) throw new BanksFileError(field.line, `${what} has no field "${name}"`);
  return value.fields;
}

export function required(fields: Fields, name: string, line: number, what: string): Lined {
  const field = fields.get(name);
  if (field === undefined) throw new BanksFileError(line, `${what} needs the field "${name}"`);
  return field;
}

export function textOf(value: Lined, what: string): string {
  if (value.kind !== 'text' || value.text.trim() === '')
    throw new BanksFileError(value.line, `${what} must be a text`);
  return value.text;
}

export function flagOf(value: Lined, what: string): boolean {
  if (value.kind !== 'flag') throw new BanksFileError(value.line, `${what} must be true or false`);
  return value.flag;
}

export function countOf(value: Lined, what: string, most: number): number {
  const count = value.kind === 'number' ? value.number : Number.NaN;
  if (!Number.isInteger(count) || count < 0 || count > most)
    throw new BanksFileError(value.line, `${what} must be a whole number from 0 to ${most}`);
  return count;
}

export function oneOf<T extends string>(value: Lined, what: string, choices: readonly T[]): T {
  const found = choices.find(choice => value.kind === 'text' && choice === value.text);
  if (found === undefined)
    throw new BanksFileError(value.line, `${what} must be one of ${choices.join(', ')}`);
  return found;
}

export function listOf(value: Lined | undefined, what: string): readonly Lined[] {
  if (value === undefined) return [];
  if (value.kind !== 'list') throw new BanksFileError(value.line, `${what} must be a list`);
  if (value.items.length > mostOfOneKind)
    throw new BanksFileError(value.line, `${what} has more than ${mostOfOneKind} items`);
  return value.items;
}
