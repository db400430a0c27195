import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bank } from './bank.ts';
import { isMoney, payersAbove } from './check-template.ts';
import { type BankEntry, type EveryBank, type Placed, parseBanks, parseEveryBank } from './parse-bank.ts';
import { BanksFileError } from './read-json-with-lines.ts';

const everyBankFile = join(import.meta.dirname, 'every-bank.json');
const builtInFolder = join(import.meta.dirname, 'entries');
const largestBanksFile = 1024 * 1024;

/**
 * Loads the built-in banks and the additions from the operator's file (`BANKS_FILE`): a bank, a sender, a signing
 * domain or a template. Throws with the file and the line that is wrong, because a service must not start with half a
 * list.
 */
export function loadBanks(banksFile: string | null): Bank[] {
  const banks = new Map<string, Bank>();
  for (const file of readdirSync(builtInFolder).sort()) addFile(banks, join(builtInFolder, file));
  if (banksFile !== null) addFile(banks, banksFile, ofOperator);
  return [...banks.values()].map(withWhatAllWrite(parseFile(everyBankFile, parseEveryBank)));
}

/** A saved entry, or (null) one that is about to be saved. */
type Saved = { readonly entry_id: number | null; readonly entry: object };
/** `isUsed`: only openings of the entry are refused, and the rest of it is used. */
export type Skipped = Readonly<{ entryId: number | null; error: BanksFileError; isUsed: boolean }>;

/**
 * Adds the entries saved at run time as if they were in the operator's file, with their templates on trial. One that
 * does not fit is left out and reported. A release may bring the same template, and the service must start anyway. If
 * only openings are refused, the rest stays, or this bank's payments would be missed after an upgrade.
 */
export function extendBanks(known: readonly Bank[], saved: readonly Saved[]) {
  const banks = new Map(known.map(bank => [bank.id, bank]));
  const skipped: Skipped[] = [];
  const add = (entry: object) => {
    const [parsed, ...more] = parseBanks(JSON.stringify(entry, null, 2));
    if (parsed === undefined || more.length > 0) throw new BanksFileError(1, 'must be one bank');
    parsed.templates.forEach(refusePayersRows);
    const templates = parsed.templates.map(one => ({ ...one, unconfirmed: true }));
    addEntry(banks, ofOperator({ ...parsed, templates }));
  };
  // First add all that fit: one that replaces a refused entry may have the same templates.
  const refused = saved.filter(({ entry }) => errorOf(() => add(entry)));
  for (const { entry_id: entryId, entry } of refused) {
    // It may need another entry, which is there now.
    const error = errorOf(() => add(entry));
    if (error === undefined) continue;
    const rest = withoutRefusedOpenings(entry);
    const left = Object.keys(rest).length > 1 ? errorOf(() => add(rest)) : error;
    skipped.push({ entryId, error: left ?? error, isUsed: left === undefined });
  }
  const completed = withWhatAllWrite(parseFile(everyBankFile, parseEveryBank));
  const isNew = (bank: Bank) => !known.some(one => one.id === bank.id);
  return { banks: [...banks.values()].map(bank => (isNew(bank) ? completed(bank) : bank)), skipped };
}

function withoutRefusedOpenings(entry: object): object {
  if (!('openings' in entry && Array.isArray(entry.openings))) return entry;
  const isRead = (one: unknown) => !errorOf(() => parseBanks(JSON.stringify({ ...entry, openings: [one] })));
  const { openings, ...rest } = entry;
  const left = openings.filter(isRead);
  return left.length > 0 ? { ...rest, openings: left } : rest;
}

function errorOf(read: () => void): BanksFileError | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof BanksFileError) return error;
    throw error;
  }
}

/** The database (jsonb) does not keep the order of an entry's rows, so a payer's row could be above the money. */
function refusePayersRows({ id, line, rows }: BankEntry['templates'][number]): void {
  const payers = rows?.find(row => row.isPayers);
  const money = rows?.find(row => row !== payers && row.facts.some(isMoney));
  if (payers && money)
    throw new BanksFileError(line, `the rows of template "${id}" may ${payersAbove(payers, money)}`);
}

function withWhatAllWrite(all: EveryBank): (bank: Bank) => Bank {
  return bank => ({
    ...bank,
    greetings: all.greetings,
    openings: [...bank.openings, ...all.openings],
    negatives: [...bank.negatives, ...all.negatives],
  });
}

function addFile(banks: Map<string, Bank>, path: string, change = (entry: BankEntry) => entry): void {
  parseFile(path, text => {
    for (const entry of parseBanks(text)) addEntry(banks, change(entry));
  });
}

/** Nobody has reviewed these openings with many mails, as ours were. */
function ofOperator(entry: BankEntry): BankEntry {
  return { ...entry, listed: entry.openings };
}

function parseFile<T>(path: string, parse: (text: string) => T): T {
  if (statSync(path).size > largestBanksFile)
    throw new Error(`${path}: is larger than ${largestBanksFile} bytes`);
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof BanksFileError) throw new Error(`${path}, ${error.message}`, { cause: error });
    throw error;
  }
}

/** Adds an entry to the known banks. An entry for a known id extends that bank and removes nothing from it. */
function addEntry(banks: Map<string, Bank>, entry: BankEntry): void {
  refuseClaimedSenders(banks, entry);
  const known = banks.get(entry.id);
  const isNew = known === undefined || isNameOnly(known);
  banks.set(entry.id, isNew ? newBank(entry, known) : extendedBank(known, entry));
}

/** Such a bank is only listed as unknown, so an entry may describe it completely. It stays closed or review-only. */
function isNameOnly({ senders, templates }: Bank): boolean {
  return senders.length === 0 && templates.length === 0;
}

function newBank(entry: BankEntry, named?: Bank): Bank {
  const name = entry.name ?? named?.name;
  if (name === undefined)
    throw new BanksFileError(entry.line, `the new bank "${entry.id}" needs the field "name"`);
  if (entry.senders.length > 0 && entry.signingDomains.length === 0 && entry.trial !== true)
    throw new BanksFileError(entry.line, `the bank "${entry.id}" has senders but no "signing_domains"`);
  const base: Bank = {
    ...(named ?? unknownBank),
    id: entry.id,
    name,
    unsignedMime: entry.unsignedMime,
    dateMayBeUnsigned: entry.dateMayBeUnsigned ?? false,
    part: entry.part ?? 'html',
  };
  return withAdditions(base, entry);
}

export const unknownBank: Bank = {
  id: 'unknown',
  name: '',
  senders: [],
  neverPays: [],
  signingDomains: [],
  unsignedMime: [],
  dateMayBeUnsigned: false,
  part: 'html',
  accountDigits: null,
  closed: null,
  cannot: null,
  upiMails: null,
  checked: null,
  alertSetting: null,
  reviewOnly: false,
  trial: false,
  templates: [],
  greetings: [],
  openings: [],
  listed: [],
  negatives: [],
};

function extendedBank(bank: Bank, entry: BankEntry): Bank {
  const fixed = [
    ['unsigned_mime', entry.unsignedMime],
    ['date_may_be_unsigned', entry.dateMayBeUnsigned],
    ['part', entry.part],
  ] as const;
  for (const [name, value] of fixed)
    if (value !== null)
      throw new BanksFileError(entry.line, `"${name}" of the known bank "${bank.id}" cannot be changed here`);
  return withAdditions(bank, entry);
}

function withAdditions(bank: Bank, entry: BankEntry): Bank {
  const ids = new Set(bank.templates.map(template => template.id));
  for (const { id, line } of entry.templates) {
    if (ids.has(id)) throw new BanksFileError(line, `the bank "${bank.id}" has a template "${id}" already`);
    ids.add(id);
  }
  return {
    ...bank,
    // These fields may change without a release: a bank can close, or print more digits.
    accountDigits: entry.accountDigits ?? bank.accountDigits,
    closed: entry.closed ?? bank.closed,
    cannot: entry.cannot ?? bank.cannot,
    upiMails: entry.upiMails ?? bank.upiMails,
    checked: entry.checked ?? bank.checked,
    alertSetting: entry.alertSetting ?? bank.alertSetting,
    reviewOnly: entry.reviewOnly ?? bank.reviewOnly,
    trial: entry.trial ?? bank.trial,
    senders: union(bank.senders, entry.senders),
    neverPays: [...new Set([...bank.neverPays, ...entry.neverPays])],
    signingDomains: union(bank.signingDomains, entry.signingDomains),
    templates: [...bank.templates, ...entry.templates],
    openings: [...bank.openings, ...entry.openings],
    listed: [...bank.listed, ...entry.listed],
    negatives: [...bank.negatives, ...entry.negatives],
  };
}

/** The From address chooses the bank and so the signing domains, so it must belong to one bank only. */
function refuseClaimedSenders(banks: Map<string, Bank>, entry: BankEntry): void {
  for (const { line, text } of entry.senders)
    for (const bank of banks.values())
      if (bank.id !== entry.id && bank.senders.includes(text))
        throw new BanksFileError(line, `the sender ${text} belongs to the bank "${bank.id}" already`);
}

function union(known: readonly string[], added: readonly Placed[]): string[] {
  return [...new Set([...known, ...added.map(placed => placed.text)])];
}
