import type { MimeShape } from '../origin/weigh-signature.ts';
import { type Bank, cannotCodes, type Template, upiMailsCodes } from './bank.ts';
import { parseGreeting, parseNegative, parseOpening, parseTemplateEntry } from './parse-template-entry.ts';
import {
  BanksFileError,
  countOf,
  flagOf,
  type Lined,
  listOf,
  objectOf,
  oneOf,
  readJsonWithLines,
  required,
  textOf,
} from './read-json-with-lines.ts';

/** One bank in one file: a whole bank, or additions to the bank with the same id. */
export type BankEntry = Pick<Bank, 'id' | 'neverPays' | 'openings' | 'listed' | 'negatives'> & {
  readonly [Name in OptionalField]: Bank[Name] | null;
} & {
  readonly line: number;
  readonly senders: readonly Placed[];
  readonly signingDomains: readonly Placed[];
  readonly templates: readonly (Template & { readonly line: number })[];
};
type OptionalField = Exclude<
  keyof Bank,
  'id' | 'senders' | 'neverPays' | 'signingDomains' | 'templates' | 'listed' | keyof EveryBank
>;

/** The greetings and lines that every bank may write: `every-bank.json`. */
export type EveryBank = Pick<Bank, 'greetings' | 'openings' | 'negatives'>;

export type Placed = { readonly line: number; readonly text: string };

const mostBanks = 500;
/** A shop records at most this many digits, so more are never compared. */
const mostAccountDigits = 6;

/** Parses a file's text into bank entries; every error names the line to correct. */
export function parseBanks(text: string): BankEntry[] {
  const root = readJsonWithLines(text);
  const entries = root.kind === 'list' ? root.items : [root];
  if (entries.length > mostBanks) throw new BanksFileError(root.line, `has more than ${mostBanks} banks`);
  return entries.map(parseEntry);
}

function parseEntry(value: Lined): BankEntry {
  const fields = objectOf(value, 'a bank', knownFields);
  const id = textOf(required(fields, 'id', value.line, 'a bank'), '"id"');
  if (!/^[a-z][a-z0-9-]{1,39}$/.test(id))
    throw new BanksFileError(
      fields.get('id')!.line,
      `"id" must be lower-case letters, digits and hyphens, not "${id}"`,
    );
  const optional = <T>(name: string, read: (field: Lined, what: string) => T): T | null => {
    const field = fields.get(name);
    return field === undefined ? null : read(field, `"${name}"`);
  };
  return {
    line: value.line,
    id,
    name: optional('name', textOf),
    part: optional('part', (field, what) => oneOf(field, what, ['html', 'text'])),
    accountDigits: optional('account_digits', (field, what) => countOf(field, what, mostAccountDigits)),
    closed: optional('closed', textOf),
    cannot: optional('cannot', (field, what) => oneOf(field, what, cannotCodes)),
    upiMails: optional('upi_mails', (field, what) => oneOf(field, what, upiMailsCodes)),
    checked: optional('checked', textOf),
    alertSetting: optional('alert_setting', textOf),
    reviewOnly: optional('review_only', flagOf),
    trial: optional('trial', flagOf),
    senders: listOf(fields.get('senders'), '"senders"').map(parseSender),
    neverPays: listOf(fields.get('never_pays'), '"never_pays"').map(parseNeverPaying),
    signingDomains: listOf(fields.get('signing_domains'), '"signing_domains"').map(parseDomain),
    unsignedMime: optional('unsigned_mime', parseMimeShapes),
    dateMayBeUnsigned: optional('date_may_be_unsigned', flagOf),
    templates: listOf(fields.get('templates'), '"templates"').map(parseTemplateEntry),
    openings: listOf(fields.get('openings'), '"openings"').map(parseOpening),
    listed: [],
    negatives: listOf(fields.get('negatives'), '"negatives"').map(parseNegative),
  };
}

export function parseEveryBank(text: string): EveryBank {
  const fields = objectOf(readJsonWithLines(text), 'the file', ['greetings', 'openings', 'negatives']);
  return {
    greetings: listOf(fields.get('greetings'), '"greetings"').map(parseGreeting),
    openings: listOf(fields.get('openings'), '"openings"').map(parseOpening),
    negatives: listOf(fields.get('negatives'), '"negatives"').map(parseNegative),
  };
}

const knownFields = [
  'id',
  'name',
  'part',
  'senders',
  'never_pays',
  'signing_domains',
  'unsigned_mime',
  'date_may_be_unsigned',
  'account_digits',
  'closed',
  'cannot',
  'upi_mails',
  'checked',
  'alert_setting',
  'review_only',
  'trial',
  'templates',
  'openings',
  'negatives',
];

function parseSender(value: Lined): Placed {
  const text = textOf(value, 'a sender').toLowerCase();
  const [local, domain, ...more] = text.split('@');
  if (more.length > 0 || !/^[a-z0-9][a-z0-9._+-]{0,63}$/.test(local ?? '') || !domainShape.test(domain ?? ''))
    throw new BanksFileError(value.line, `"${text}" is not an exact address such as alerts@example.bank.in`);
  return { line: value.line, text };
}

function parseNeverPaying(value: Lined): string {
  const text = textOf(value, 'a sender that never pays').toLowerCase();
  return text.startsWith('@') && domainShape.test(text.slice(1)) ? text : parseSender(value).text;
}

function parseDomain(value: Lined): Placed {
  const text = textOf(value, 'a signing domain').toLowerCase();
  if (!domainShape.test(text))
    throw new BanksFileError(value.line, `"${text}" is not an exact domain such as example.bank.in`);
  if (everyonesDomains.has(text))
    throw new BanksFileError(value.line, `"${text}" signs for many senders, so its signature proves no bank`);
  return { line: value.line, text };
}

const domainShape = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;

/** Mail services and shared suffixes. Some carriers sign for several banks with one key. */
const everyonesDomains: ReadonlySet<string> = new Set([
  ...['aclmobile.net', 'aclmails.in', 'amazonses.com', 'sendgrid.net', 'mailgun.org', 'mandrillapp.com'],
  ...['sparkpostmail.com', 'netcore.co.in', 'pepipost.com', 'gmail.com', 'google.com', 'googlemail.com'],
  ...[
    'outlook.com',
    'onmicrosoft.com',
    'yahoo.com',
    'zoho.com',
    'zoho.in',
    'bank.in',
    'co.in',
    'net.in',
    'org.in',
  ],
]);

function parseMimeShapes(value: Lined): MimeShape[] {
  const shapes = value.kind === 'list' ? value.items : [value];
  if (shapes.length === 0) throw new BanksFileError(value.line, '"unsigned_mime" has no shape');
  return shapes.map(parseMimeShape);
}

function parseMimeShape(value: Lined): MimeShape {
  const fields = objectOf(value, '"unsigned_mime"', ['content_type', 'parts']);
  const wholes = ['multipart/mixed', 'multipart/alternative', 'text/html', 'text/plain'] as const;
  const field = required(fields, 'content_type', value.line, '"unsigned_mime"');
  const contentType = oneOf(field, '"content_type"', wholes);
  if (contentType === 'text/html' || contentType === 'text/plain')
    return { contentType, parts: [contentType] };
  const parts = listOf(required(fields, 'parts', value.line, '"unsigned_mime"'), '"parts"').map(part =>
    oneOf(part, 'a part', ['text/html', 'text/plain'] as const),
  );
  if (parts.length === 0 || new Set(parts).size < parts.length)
    throw new BanksFileError(value.line, '"parts" must name one or two different kinds of text');
  return { contentType, parts };
}
