import { BanksFileError, type Lined } from './read-json-with-lines.ts';

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
