import { createHash } from 'node:crypto';

type Row = Readonly<Record<string, unknown>>;

class Wrapped<Content> {
  readonly content: Content;
  constructor(content: Content) {
    this.content = content;
  }
}

/** Rows to insert, written as `(a, b) values (…), (…)`. */
export class Inserted extends Wrapped<readonly Row[]> {}

/** The items of an `in` list, written as `(…)`. */
export class Listed extends Wrapped<readonly unknown[]> {}

export class Json extends Wrapped<unknown> {}

/** SQL text with its values. A nested template becomes part of the text. */
export class Template {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/** Writes our own constants into the text, because only then can the planner use a partial index for them. */
export function writtenOut(words: readonly string[]): Template {
  if (!words.every(word => /^[a-z_]+$/.test(word))) throw new TypeError('only plain words are written out');
  return new Template([`('${words.join("', '")}')`], []);
}

export type SqlQuery = { text: string; values: unknown[] };

/** SQL text whose parameters are already numbered. */
export class Written extends Template {
  readonly numbered: readonly unknown[];
  constructor(text: string, numbered: readonly unknown[]) {
    super([text], []);
    this.numbered = numbered;
  }
}

/** The text for the server: every value is a numbered parameter, never part of the text. */
export function writeQuery(template: Template): SqlQuery {
  if (template instanceof Written) return { text: template.strings[0] ?? '', values: [...template.numbered] };
  const values: unknown[] = [];
  const shape = findShape(template, shapes, values);
  if (shape?.text) return { text: shape.text, values };
  values.length = 0;
  const text = write(template, values);
  if (shape) shape.text = text;
  return { text, values };
}

/** Caches finished texts, because a new string would be hashed again to find its prepared statement. */
type Shape = { text: string | null; nested: Shapes[] };
type Shapes = WeakMap<readonly string[], Shape>;

const shapes: Shapes = new WeakMap();

/** Collects the values as `write` does. Returns null if the text also depends on a value, such as a list's length. */
function findShape(template: Template, known: Shapes, values: unknown[]): Shape | null {
  let shape: Shape | null = known.get(template.strings) ?? null;
  if (!shape) {
    shape = { text: null, nested: [] };
    known.set(template.strings, shape);
  }
  for (const part of template.values) {
    if (part instanceof Listed || part instanceof Inserted) return null;
    const nested = templateOf(part);
    if (nested) {
      shape.nested[values.length] ??= new WeakMap();
      shape = findShape(nested, shape.nested[values.length]!, values);
      if (!shape) return null;
    } else values.push(parameterOf(part));
  }
  return shape;
}

function write({ strings, values: parts }: Template, values: unknown[]): string {
  return strings.reduce((text, string, index) => text + writePart(parts[index - 1], values) + string);
}

function writePart(part: unknown, values: unknown[]): string {
  const parameter = (value: unknown) => `$${values.push(parameterOf(value))}`;
  if (part instanceof Listed) {
    if (part.content.length === 0)
      throw new TypeError('an empty list matches nothing and is most likely a mistake');
    return `(${part.content.map(parameter).join(', ')})`;
  }
  if (part instanceof Inserted) {
    const names = Object.keys(part.content[0] ?? {});
    const quoted = names.map(name => `"${name.replaceAll('"', '""')}"`);
    const tuples = part.content.map(row => `(${names.map(name => parameter(row[name])).join(', ')})`);
    return `(${quoted.join(', ')}) values ${tuples.join(', ')}`;
  }
  const template = templateOf(part);
  return template ? write(template, values) : parameter(part);
}

function templateOf(part: unknown): Template | null {
  if (typeof part !== 'object' || part === null) return null;
  const template = part instanceof Template ? part : (part as { template?: unknown }).template;
  return template instanceof Template ? template : null;
}

function parameterOf(part: unknown): unknown {
  if (part === undefined) throw new TypeError('undefined is not a value for SQL: say null');
  return part instanceof Json ? JSON.stringify(part.content) : part;
}

/** A prepared statement is planned once per connection. Texts are few, because they differ only in optional parts. */
const names = new Map<string, string>();
const mostNames = 1000;

/**
 * The name is derived from the text. Behind a pooler, another process may have prepared statements on our connection. A
 * name is then unknown there or means the same text, so it can never run another statement.
 */
export function nameQuery(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= mostNames) return undefined;
  const name = `milaan_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
