import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { JsonBody } from '../base/http/json-body.ts';
import { codePoints, isStorable } from '../base/http/text.ts';
import { mostRupees, type Paise, paiseFromRupees } from '../base/money.ts';
import { longestUrl, misleadsReaders } from '../base/network/parse-destination.ts';
import { longestMailAddress } from '../base/network/parse-mail-address.ts';
import { askedSchemas, readAsked } from './optional-fields.ts';

const nameLength = 120;
/** §8: counted after trimming, in code points. */
export const longestMerchantOrderId = 120;

/** §4.1: the request body. It validates, and is the schema in the OpenAPI document. Unknown fields are ignored. */
export const createRequestSchema = Type.Object({
  amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: mostRupees,
    description: 'Rupees. Converted to paise as amount*100 rounded to the nearest integer.',
  }),
  merchant_order_id: Type.String({
    minLength: 1,
    description: `Your own order id, the idempotency key. Trimmed; 1 to ${longestMerchantOrderId} characters.`,
  }),
  success_url: Type.String({
    maxLength: longestUrl,
    description: 'Where the customer returns after payment.',
  }),
  failure_url: Type.String({
    maxLength: longestUrl,
    description: 'Where the customer returns after an expired or failed payment.',
  }),
  webhook_url: Type.String({
    maxLength: longestUrl,
    description: 'Public http or https address that receives the signed payment.paid webhook.',
  }),
  customer: Type.Optional(
    Type.Object(
      {
        email: Type.Optional(Type.String({ description: 'Must look like an email address.' })),
        name: Type.Optional(Type.String({ maxLength: nameLength, description: 'The name.' })),
      },
      {
        description:
          "For the merchant's reference only. Other fields are ignored; null, here or in a field, counts as left out.",
      },
    ),
  ),
  payment_account_id: Type.Optional(
    Type.String({
      description: 'The UPI account to create the order on; the default account when left out.',
    }),
  ),
  domain: Type.Optional(Type.Unknown({ description: 'Accepted for backward compatibility; has no effect.' })),
  ...(askedSchemas as Record<never, never>),
});

/** payment_account_id has its own answer for every fault (§7), so it is not validated here. */
const fieldsValidator = Compile(Type.Omit(createRequestSchema, ['payment_account_id']));

export type CreateRequest = {
  amount: Paise;
  merchantOrderId: string;
  successUrl: string;
  failureUrl: string;
  webhookUrl: string;
  customer: { email?: string; name?: string } | null;
  /** If null, the default account is used. */
  account: string | null;
  optional?: Record<string, unknown> | null;
};

type Read<T> = { value: T } | { problem: string };

/**
 * Returns a create request, or what is wrong with it. Both include the idempotency key if it is usable, because a used
 * id is replayed before the rest of the body counts (§4.1).
 */
export function readCreateBody(
  body: JsonBody,
): { request: CreateRequest; merchantOrderId: string } | { problem: string; merchantOrderId: string | null } {
  if ('problem' in body) return { ...body, merchantOrderId: null };
  const id = readMerchantOrderId(body.object['merchant_order_id']);
  if ('problem' in id) return { ...id, merchantOrderId: null };
  const rest = readFields(body.object, id.value);
  return 'problem' in rest
    ? { ...rest, merchantOrderId: id.value }
    : { request: rest.value, merchantOrderId: id.value };
}

/** Reads the rest of the body. The destination guard checks webhook_url's address later. */
function readFields(body: Record<string, unknown>, merchantOrderId: string): Read<CreateRequest> {
  const fields = {
    ...body,
    ...nullsLeftOut(body, Object.keys(askedSchemas)),
    customer: withoutNulls(body['customer']),
  };
  if (!fieldsValidator.Check(fields)) return { problem: firstProblem(fields) };
  const amount = paiseFromRupees(fields.amount);
  if (amount < 1) return { problem: 'amount must be at least 0.01 rupees after rounding' };
  const problem =
    returnUrlProblem('success_url', fields.success_url) ??
    returnUrlProblem('failure_url', fields.failure_url) ??
    customerProblem(fields.customer) ??
    optionalProblem(fields);
  if (problem !== null) return { problem };
  return {
    value: {
      amount,
      merchantOrderId,
      successUrl: fields.success_url,
      failureUrl: fields.failure_url,
      webhookUrl: fields.webhook_url,
      customer: fields.customer ? knownCustomerFields(fields.customer) : null,
      account: readAccount(body['payment_account_id']),
      optional: readAsked(fields),
    },
  };
}

function nullsLeftOut(body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter(name => body[name] === null).map(name => [name, undefined]));
}

/** Null counts as omitted, because many languages write null for unknown values. */
function withoutNulls(customer: unknown): unknown {
  if (customer === null) return undefined;
  if (typeof customer !== 'object' || Array.isArray(customer)) return customer;
  return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== null));
}

function firstProblem(body: Record<string, unknown>): string {
  const [error] = fieldsValidator.Errors(body);
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  if (typeof body['amount'] === 'string') return 'amount must be a number, not a string: 499, not "499"';
  if (field === 'amount') return `amount must be a number greater than 0 and at most ${mostRupees}`;
  const params = (error?.params ?? {}) as { requiredProperties?: string[]; type?: string };
  if (error?.keyword === 'required') return areRequired(params.requiredProperties ?? []);
  if (error?.keyword === 'type')
    return `${field} must be ${params.type === 'object' ? 'an' : 'a'} ${params.type}`;
  return `${field || 'the body'} ${error?.message ?? 'is not valid'}`;
}

function areRequired(names: readonly string[]): string {
  return `${new Intl.ListFormat('en-IN').format(names)} ${names.length > 1 ? 'are' : 'is'} required`;
}

function returnUrlProblem(field: string, text: string): string | null {
  if (codePoints(text) > longestUrl) return `${field} is longer than ${longestUrl} characters`;
  const plain = isStorable(text) && !misleadsReaders(text) && /^https?:\/\/(?![/?#])./i.test(text);
  const url = plain ? URL.parse(text) : null;
  if (!url)
    return `${field} must be an absolute http:// or https:// URL without spaces or control characters`;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  if (authority.includes('@')) return `${field} must not hold a username or password`;
  return null;
}

type Customer = { email?: string; name?: string };

function customerProblem(customer: Customer | undefined): string | null {
  const { email, name } = customer ?? {};
  if (
    email !== undefined &&
    !(isStorable(email) && email.length <= longestMailAddress && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
  ) {
    return 'customer.email must look like an email address';
  }
  if (name !== undefined && codePoints(name) > nameLength)
    return `customer.name is longer than ${nameLength} characters`;
  if (name !== undefined && !isStorable(name)) return 'customer.name holds characters that cannot be stored';
  return null;
}

/** The schema has checked type and range. Its length counts otherwise, and it knows nothing about storage. */
function optionalProblem(body: Record<string, unknown>): string | null {
  for (const [name, schema] of Object.entries(askedSchemas)) {
    const value = body[name];
    if (typeof value !== 'string') continue;
    const { maxLength } = schema as { maxLength?: number };
    if (maxLength !== undefined && codePoints(value) > maxLength)
      return `${name} is longer than ${maxLength} characters`;
    if (!isStorable(value)) return `${name} holds characters that cannot be stored`;
  }
  return null;
}

function knownCustomerFields({ email, name }: Customer): Customer {
  return { ...(email !== undefined && { email }), ...(name !== undefined && { name }) };
}

export const accountIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/** A malformed id becomes one that no account has, so that it is answered exactly like an unknown id (§7). */
function readAccount(given: unknown): string | null {
  if (given === undefined) return null;
  return typeof given === 'string' && accountIdForm.test(given) ? given : '';
}

export const tooLongId = `merchant_order_id is longer than ${longestMerchantOrderId} characters`;

export type ReadId = { readonly value: string } | { readonly problem: string };

/** Reads the merchant's own id. Create, list and the dashboard's search share this rule. */
export function readMerchantOrderId(given: unknown): ReadId {
  if (given === undefined || given === null) return { problem: areRequired(['merchant_order_id']) };
  if (typeof given !== 'string') return { problem: 'merchant_order_id must be a string' };
  const value = given.trim();
  // Uses Unicode's white space, because `trim` leaves U+0085.
  if (/^\p{White_Space}*$/u.test(value)) return { problem: 'merchant_order_id must not be empty' };
  if (codePoints(value) > longestMerchantOrderId) return { problem: tooLongId };
  if (!isStorable(value)) return { problem: 'merchant_order_id holds characters that cannot be stored' };
  return { value };
}
