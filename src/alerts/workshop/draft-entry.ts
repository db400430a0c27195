import { createHash } from 'node:crypto';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import type { Reason } from '../../texts/verdicts.ts';
import type { Bank, CreditFacts, Reading, Template } from '../banks/bank.ts';
import { extendBanks } from '../banks/load-banks.ts';
import { normaliseText, parseAmount, unwrapLines } from '../mail/plain-text.ts';
import type { MimeShape } from '../origin/weigh-signature.ts';
import { beginsLine, compareReadings } from '../reading/compare-readings.ts';
import { noCreditIn } from '../reading/read-wording.ts';
import { anySubject, type DraftedTemplate, type DraftRefusal, draftTemplate } from './draft-template.ts';
import type { Selections } from './find-selections.ts';

// The workshop: an operator marks the values in one of a bank's mails. An entry that reads such mails is drafted,
// tried and saved. This file makes the draft.

/** One bank, or an addition to one, in its file's format. */
export type WrittenEntry = {
  id: string;
  name?: string;
  part?: 'html' | 'text';
  senders?: string[];
  signing_domains?: string[];
  unsigned_mime?: { content_type: string; parts?: readonly string[] }[];
  date_may_be_unsigned?: boolean;
  account_digits?: number;
  templates: {
    id: string;
    channel: string;
    unconfirmed?: boolean;
    subject: string;
    body: string;
  }[];
  openings?: string[];
};

/** A mail as the workshop sees it: its words and the result of its signature. */
export type ReadMail = {
  readonly from: string | null;
  readonly subject: string;
  readonly html: string | null;
  readonly cells?: string | null;
  readonly text: string | null;
  /** The domain whose signature of this mail is valid; null if there is none, or if the mail was changed. */
  readonly signedBy: string | null;
  /** Set if the signature does not cover the MIME structure. */
  readonly unsignedMime: MimeShape | null;
  readonly dateSigned: boolean;
  readonly isRead: boolean;
};

export type Asked = {
  readonly chosen: Selections;
  /** A known bank's id, or a new bank with its name. */
  readonly bank: { readonly id: string; readonly name: string };
  /** A person's answer to what the mail itself cannot prove, or empty. */
  readonly sender: string;
  readonly signingDomain: string;
};

export type EntryDraft = {
  readonly outcome: 'drafted';
  readonly entry: WrittenEntry;
  readonly facts: CreditFacts;
  readonly pays: boolean;
  readonly banks: readonly Bank[];
};
export type EntryRefusal =
  | DraftRefusal
  | ({ readonly outcome: 'refused' } & (
      | { readonly code: 'already_read' | 'sender_missing' | 'domain_missing' | 'bank_missing' }
      /** The error of the bank file's parser. */
      | { readonly code: 'not_valid'; readonly detail: string }
      /** `no_credit`: a phrase up to the statement's end says that it is no credit. */
      | { readonly code: 'no_credit' | 'still_unreadable'; readonly reason: Reason }
    ));

/** The most lines between greeting and statement in one mail; an alert has no more. */
const mostOpenings = 6;
const usualDigits = 4;

/**
 * Drafts everything that a bank's file needs to read such a mail: the template, the lines between greeting and
 * statement, and for an unknown bank its signer. The draft must then read the mail and find the marked values.
 */
export function draftEntry(banks: readonly Bank[], mail: ReadMail, asked: Asked): EntryDraft | EntryRefusal {
  if (mail.isRead) return refused({ code: 'already_read' });
  const origin = originOf(banks, mail, asked);
  if ('outcome' in origin) return origin;
  const bare = extendBanks(banks, [{ entry_id: null, entry: { ...origin, templates: [] } }]);
  if (bare.skipped[0]) return refused({ code: 'not_valid', detail: bare.skipped[0].error.message });
  const bank = bare.banks.find(({ id }) => id === origin.id)!;
  // A known wording below a new line, or signed by a new domain, needs no second template.
  const known = readWith(banks, mail, asked.chosen, { ...origin, templates: [] });
  if (known.outcome === 'drafted' && known.facts.amount === parseAmount(asked.chosen.amount ?? ''))
    return known;
  const text = linesOf(bank, mail);
  const template = draftTemplate(bank, { subject: mail.subject, text }, asked.chosen);
  if (template.outcome === 'refused') return template;
  const said = noCreditIn(bank, normaliseText(mail.subject), text.slice(0, template.to));
  if (said !== null && template.channel !== 'other') return refused({ code: 'no_credit', reason: said });

  return readWith(banks, mail, asked.chosen, { ...origin, templates: [writeTemplate(template, mail)] });
}

/** The template that reads the mail: the entry's own, or the bank's if only the surroundings were new. */
export function wordingOf({ banks, entry, facts }: EntryDraft): Template {
  const bank = banks.find(({ id }) => id === entry.id)!;
  return bank.templates.find(({ id }) => id === facts.template)!;
}

/** Reads the mail with an entry, and adds the missing lines before the statement. */
function readWith(
  banks: readonly Bank[],
  mail: ReadMail,
  chosen: Selections,
  bare: WrittenEntry,
): EntryDraft | EntryRefusal {
  const openings: string[] = [];
  for (;;) {
    const entry = { ...bare, ...(openings.length > 0 && { openings }) };
    const extended = extendBanks(banks, [{ entry_id: null, entry }]);
    if (extended.skipped[0]) return refused({ code: 'not_valid', detail: extended.skipped[0].error.message });
    const { html, cells = null, text } = mail;
    const bank = extended.banks.find(({ id }) => id === entry.id)!;
    const reading = compareReadings(bank, mail.subject, { outcome: 'read', html, cells, text });
    const line = reading.outcome === 'unreadable' ? reading.unlistedLine : null;
    if (line === null || openings.length >= mostOpenings)
      return verdict({ outcome: 'drafted', entry, banks: extended.banks }, reading);
    openings.push(withCustomer(line, chosen));
  }
}

/** The lines that a reader of this bank's mails sees, from the part that counts. */
export function linesOf(bank: Bank, mail: ReadMail): string {
  const plain = mail.text === null ? null : unwrapLines(mail.text, beginsLine(bank));
  return (bank.part === 'html' ? (mail.html ?? plain) : (plain ?? mail.html)) ?? '';
}

type Origin = Omit<WrittenEntry, 'templates' | 'openings'>;

function originOf(banks: readonly Bank[], mail: ReadMail, asked: Asked): Origin | EntryRefusal {
  const { id, name } = asked.bank;
  if (id === '') return refused({ code: 'bank_missing' });
  const sender = (asked.sender || mail.from || '').toLowerCase();
  const domain = (asked.signingDomain || mail.signedBy || '').toLowerCase();
  const known = banks.find(bank => bank.id === id);
  if (known) {
    const senders = sender === '' || known.senders.includes(sender) ? [] : [sender];
    const domains = domain === '' || known.signingDomains.includes(domain) ? [] : [domain];
    return {
      id,
      ...(senders.length > 0 && { senders }),
      ...(domains.length > 0 && { signing_domains: domains }),
    };
  }
  if (sender === '') return refused({ code: 'sender_missing' });
  if (domain === '') return refused({ code: 'domain_missing' });
  const digits = /(?<![0-9])[0-9]+$/.exec(asked.chosen.account?.trim() ?? '')?.[0].length ?? 0;
  const shape = mail.signedBy === null ? null : mail.unsignedMime;
  return {
    id,
    name: name || id,
    part: mail.html === null ? 'text' : 'html',
    senders: [sender],
    signing_domains: [domain],
    ...(shape && { unsigned_mime: [{ content_type: shape.contentType, parts: shape.parts }] }),
    ...(mail.signedBy !== null && !mail.dateSigned && { date_may_be_unsigned: true }),
    ...(digits > 0 && digits < usualDigits && { account_digits: digits }),
  };
}

/** Unconfirmed if the bank's signature is missing or any subject will do; the merchant sees that. */
function writeTemplate({ channel, subject, body }: DraftedTemplate, mail: ReadMail) {
  const isUnconfirmed = mail.signedBy === null || subject === anySubject;
  // The id is a hash of the words: a different wording gets a new id and begins its own trial, even after a removal.
  const words = JSON.stringify([subject, body, []]);
  const id = `own-${createHash('sha256').update(words).digest('hex').slice(0, 8)}`;
  return { id, channel, ...(isUnconfirmed && { unconfirmed: true }), subject, body };
}

/** The next mail greets another customer. */
function withCustomer(line: string, { customer = '' }: Selections): string {
  return customer.trim() === '' ? line : line.replace(customer.trim(), '{customer}');
}

function verdict(draft: Omit<EntryDraft, 'facts' | 'pays'>, reading: Reading): EntryDraft | EntryRefusal {
  if (reading.outcome === 'credit') return { ...draft, facts: reading.facts, pays: true };
  const isOther = draft.entry.templates[0]?.channel === 'other';
  if (isOther && reading.outcome === 'not_a_credit' && reading.facts !== null)
    return { ...draft, facts: reading.facts, pays: false };
  return refused({ code: 'still_unreadable', reason: reading.reason });
}

function refused<const T extends { code: string }>(refusal: T): T & { outcome: 'refused' } {
  return { outcome: 'refused', ...refusal };
}

export function sayRefusal(texts: Texts, refusal: EntryRefusal): string {
  const { refusals, marks } = texts.workshop;
  const reason = 'reason' in refusal ? sayReason(texts.tag, refusal.reason) : '';
  const said = refusals[refusal.code];
  const facts = {
    mark: 'name' in refusal ? marks[refusal.name] : '',
    value: 'value' in refusal ? refusal.value : '',
    detail: 'detail' in refusal ? refusal.detail : reason,
  };
  return typeof said === 'string' ? said : said(facts);
}

const longestId = 40;

/** A short id for a new bank: from its name, or from its sender's domain if the name has no Latin letters. */
export function nameBank(banks: readonly Pick<Bank, 'id'>[], name: string, sender: string): string {
  const [host = ''] = sender.split('@').slice(1);
  const id = idOf(name) || idOf(host.split('.').at(-3) ?? host.split('.')[0] ?? '') || 'bank';
  const isTaken = (one: string) => banks.some(bank => bank.id === one);
  for (let at = 1; ; at++) {
    const one = at === 1 ? id : `${id.slice(0, longestId - 4)}-${at}`;
    if (!isTaken(one)) return one;
  }
}

function idOf(words: string): string {
  const id = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '')
    .slice(0, longestId)
    .replace(/-$/, '');
  return id.length < 2 ? '' : id;
}
