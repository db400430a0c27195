import { type Static, type TNull, type TOptional, type TSchema, type TUnion, Type } from 'typebox';
import type { Queryable } from '../base/database/connect.ts';
import type { Query } from '../base/database/query.ts';

type Optional = {
  /** The value in JSON. Without one, get, list and webhooks show null. */
  schema: TSchema;
  /** Its column of `orders o`, with the field's name. */
  column(sql: Queryable): Query<Record<string, unknown>[]>;
  /** Create takes it from its body and stores it. Otherwise the program writes the column. */
  isAsked: boolean;
  /** It may name a customer, so a search finds it and an erasure empties it. */
  isPersonal: boolean;
};

/**
 * The plain fields of an order that may be null, one definition each. From it follow create's schema and check, the
 * column's write and read, the JSON of get, list and webhooks, the CSV, the archives and the erasure. Tests compare the
 * database, the SDK's types and the written API description with it.
 */
const optionalFields = {
  bank_reference: {
    schema: Type.String({ description: "The bank's RRN or UTR, where its alert prints one." }),
    column: sql => sql`o.bank_reference`,
    isAsked: false,
    isPersonal: true,
  },
} satisfies Record<string, Optional>;

type Fields = typeof optionalFields;
export type OptionalValues = { [Name in keyof Fields]: Static<Fields[Name]['schema']> | null };

export const optionalList: [name: string, field: Optional][] = Object.entries<Optional>(optionalFields);
const asked = optionalList.filter(([, { isAsked }]) => isAsked);
export const personalNames = optionalList.filter(([, { isPersonal }]) => isPersonal).map(([name]) => name);
/** Only columns that can hold text have to be named as kept. */
export const keptTexts = optionalList
  .filter(([, { schema, isPersonal }]) => !isPersonal && 'type' in schema && schema.type === 'string')
  .map(([name]) => name);

export const optionalSchemas = Object.fromEntries(
  optionalList.map(([name, { schema }]) => [name, Type.Union([schema, Type.Null()])]),
) as unknown as { [Name in keyof Fields]: TUnion<[Fields[Name]['schema'], TNull]> };

export const askedSchemas: Record<string, TOptional<TSchema>> = Object.fromEntries(
  asked.map(([name, { schema }]) => [name, Type.Optional(schema)]),
);

/** The asked fields of a valid body, or null if it has none of them. */
export function readAsked(body: Record<string, unknown>): Record<string, unknown> | null {
  const given = asked.flatMap(([name]) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  return given.length === 0 ? null : Object.fromEntries(given);
}

export function showOptional(order: Partial<OptionalValues>): OptionalValues {
  const values = order as Record<string, unknown>;
  return Object.fromEntries(optionalList.map(([name]) => [name, values[name] ?? null])) as OptionalValues;
}
