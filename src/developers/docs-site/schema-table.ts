import { type Html, html } from '../../base/http/html.ts';
import { tableHtml } from './table-html.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  format?: string;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

/** The fields of an object, one row each; fields of objects inside follow with a dotted name. */
export function fieldsTable(schema: Schema): Html {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return html`<p>${schemaWords(schema)}</p>`;
  return tableHtml(
    ['field', 'value', 'meaning'],
    rows.map(({ name, field, isRequired }) => [
      html`<code>${name}</code>${isRequired && html` <span class="must">required</span>`}`,
      schemaWords(field),
      describe(field),
    ]),
  );
}

type Row = { name: string; field: Schema; isRequired: boolean };

function rowsOf(schema: Schema, prefix: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = [field, ...(field.anyOf ?? [])].find(one => one.properties);
    return [
      { name: prefix + name, field, isRequired: schema.required?.includes(name) ?? false },
      ...(inner ? rowsOf(inner, `${prefix}${name}.`) : []),
    ];
  });
}

function describe(field: Schema): string {
  return (
    field.description ??
    field.anyOf
      ?.map(one => one.description ?? '')
      .join(' ')
      .trim() ??
    ''
  );
}

/** A schema in words: "number, more than 0, at most 1000000". */
export function schemaWords(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(schemaWords).join(' or ');
  const ref = /\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
  const words = [ref ?? kindOf(schema)];
  if (schema.exclusiveMinimum !== undefined) words.push(`more than ${schema.exclusiveMinimum}`);
  if (schema.minimum !== undefined) words.push(`at least ${schema.minimum}`);
  if (schema.maximum !== undefined) words.push(`at most ${schema.maximum}`);
  if (schema.minLength === 1) words.push('not empty');
  else if (schema.minLength !== undefined) words.push(`at least ${schema.minLength} characters`);
  if (schema.maxLength !== undefined) words.push(`at most ${schema.maxLength} characters`);
  if (schema.default !== undefined) words.push(`${String(schema.default)} when left out`);
  return words.join(', ');
}

function kindOf(schema: Schema): string {
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.type === 'array') return `list of ${schemaWords(schema.items ?? {})}`;
  if (schema.type === 'integer') return 'whole number';
  if (schema.format === 'date-time') return 'time';
  return [schema.type ?? 'anything'].flat().join(' or ');
}
