import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import type { Dns } from '../../base/network/dns.ts';
import { sayReason } from '../../texts/say.ts';
import { type Bank, findBank, type Reading } from '../banks/bank.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses } from '../mail/parse-fields.ts';
import { headerValue, type SplitMail, splitHeaders, withMailLineEnds } from '../mail/split-headers.ts';
import { askKeys } from '../origin/ask-keys.ts';
import { type KeySource, readZone } from '../origin/key-source.ts';
import { compareReadings } from '../reading/compare-readings.ts';
import { type BodyText, readBody } from '../reading/read-body.ts';
import { type Judgement, judgeMail } from './judge-mail.ts';

type ExplainWorld = {
  readonly clock: Clock;
  readonly dns: Pick<Dns, 'lookupText'>;
  readonly banks: readonly Bank[];
  print(line: string): void;
  /** Prints one sentence to standard error. */
  complain(sentence: string): void;
};

/**
 * `explain-alert a.eml … --addressed-to a@shop.in[,b@shop.in] [--dns zone.json] [--at 2026-11-14T10:00:00Z]` explains
 * why alerts were accepted or not. It prints one JSON line per file, needs no database, and returns the exit code.
 */
export async function explainAlert(world: ExplainWorld, args: readonly string[]): Promise<number> {
  const asked = await readArguments(world, args);
  if (typeof asked === 'string') {
    world.complain(asked);
    return 1;
  }

  let exitCode = 0;
  for (const path of asked.paths) {
    let raw: Buffer;
    try {
      raw = await readFile(path);
    } catch (error) {
      world.complain(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
      exitCode = 1;
      continue;
    }
    const { addresses, at, keys } = asked;
    const now = at ?? world.clock.now();
    const banks = world.banks;
    const mail = withMailLineEnds(raw);
    const judgement = await judgeMail(mail, { banks, addresses, arrivedAt: now, now, keys });
    // Nothing of the bank was proven, so what a wording reads is only of use for writing the wording.
    const unproven = judgement.signatureId === null ? await readUnproven(mail, banks) : null;
    world.print(
      JSON.stringify({ ...describe(judgement), would_read: unproven && describeUnproven(unproven) }),
    );
  }
  return exitCode;
}

type Asked = { paths: string[]; addresses: string[]; at: Date | null; keys: KeySource };

async function readArguments(world: ExplainWorld, args: readonly string[]): Promise<Asked | string> {
  let parsed: ReturnType<typeof parseAll>;
  try {
    parsed = parseAll(args);
  } catch (error) {
    return `explain-alert: ${(error as Error).message.split('\n')[0]}`;
  }
  const { values, positionals: paths } = parsed;
  if (paths.length === 0) return 'explain-alert needs at least one file with a raw mail (.eml).';
  if (values['addressed-to'] === undefined)
    return 'explain-alert needs --addressed-to with the alert addresses, separated by commas.';
  const addresses = values['addressed-to'].split(',').map(one => parseAddresses(one)?.[0]);
  if (!addresses.every(one => one !== undefined))
    return `--addressed-to ${values['addressed-to']} is not a list of mail addresses.`;

  const at = values.at === undefined ? null : parseMoment(values.at);
  if (at === 'malformed') return `--at ${values.at} is not a moment such as 2026-11-14T10:00:00Z.`;
  const keys = values.dns === undefined ? askKeys(world.dns) : await zoneFrom(values.dns);
  return typeof keys === 'string' ? keys : { paths, addresses, at, keys };
}

function parseAll(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'addressed-to': { type: 'string' }, dns: { type: 'string' }, at: { type: 'string' } },
  });
}

function parseMoment(text: string): Date | 'malformed' {
  const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;
  const moment = new Date(iso.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) ? 'malformed' : moment;
}

async function zoneFrom(path: string): Promise<KeySource | string> {
  try {
    const zone = readZone(await readFile(path, 'utf8'));
    return zone ?? `--dns ${path} is not a JSON object of DNS names and TXT strings.`;
  } catch (error) {
    return `--dns ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`;
  }
}

function describe({ verdict, reason, bankName, facts, alertTime }: Judgement) {
  return {
    verdict,
    reason_code: reason.code,
    reason: sayReason('en', reason),
    bank: bankName,
    amount_paise: facts?.amount ?? null,
    reference: facts?.reference ?? null,
    payer: facts?.payer ?? null,
    account_digits: facts?.accountDigits ?? null,
    alert_time: alertTime?.toISOString() ?? null,
  };
}

function describeUnproven({ bank, reading }: NonNullable<Awaited<ReturnType<typeof readUnproven>>>) {
  const facts = reading.outcome === 'unreadable' ? null : reading.facts;
  const reason = reading.outcome === 'credit' ? null : reading.reason;
  return {
    proven: false,
    verdict: reading.outcome,
    reason_code: reason?.code ?? null,
    reason: reason && sayReason('en', reason),
    bank: bank.name,
    template: facts?.template ?? null,
    amount_paise: facts?.amount ?? null,
    reference: facts?.reference ?? null,
    payer: facts?.payer ?? null,
    account_digits: facts?.accountDigits ?? null,
  };
}

type Unproven = { bank: Bank; reading: Reading };

/**
 * Reads an unsigned mail, or text pasted from one, as if its bank had signed it. This helps to write bank entries and
 * decides nothing. Without a known sender, it names only the bank whose wording fits.
 */
async function readUnproven(raw: Buffer, banks: readonly Bank[]): Promise<Unproven | null> {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') {
    const text = raw.toString('utf8').replaceAll('\r\n', '\n').trim();
    return firstFitting(banks.map(withAnySubject), '', { outcome: 'read', html: null, text });
  }
  const body = await bodyOf(mail);
  if (body === null) return null;
  const subject =
    decodeSubject(headerValue(mail, 'subject') ?? '')?.replace(/^(?:(?:fwd?|re): *)+/i, '') ?? '';
  const sender = parseAddresses(headerValue(mail, 'from') ?? '')?.[0];
  const bank = sender === undefined ? null : findBank(banks, sender);
  if (bank) return { bank, reading: compareReadings(bank, subject, body) };
  return firstFitting(banks, subject, body);
}

async function bodyOf(mail: SplitMail): Promise<BodyText | null> {
  const [contentType, transferEncoding] = [
    headerValue(mail, 'content-type'),
    headerValue(mail, 'content-transfer-encoding'),
  ];
  const body = await readBody({ contentType, transferEncoding, mimeSigned: true, body: mail.body }, null);
  return body.outcome === 'refused' ? null : body;
}

function withAnySubject(bank: Bank): Bank {
  return { ...bank, templates: bank.templates.map(template => ({ ...template, subject: /^/ })) };
}

function firstFitting(banks: readonly Bank[], subject: string, body: BodyText): Unproven | null {
  for (const bank of banks) {
    const reading = compareReadings(bank, subject, body);
    if (reading.outcome !== 'unreadable' && reading.facts !== null) return { bank, reading };
  }
  return null;
}
