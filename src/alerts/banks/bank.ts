import type { Paise } from '../../base/money.ts';
import type { Reason, Trust } from '../../texts/verdicts.ts';
import type { Signer } from '../origin/weigh-signature.ts';

/** One bank, as its data file describes it after parsing. Banks are data: a new one needs no release. */
export type Bank = Signer & {
  /** Short lower-case key, the name of its file: `hdfc`. */
  readonly id: string;
  /** The part that carries the wording where a mail has both; a mail with one part is read whichever it is. */
  readonly part: 'html' | 'text';
  /** How many trailing digits of the account its alerts print; null where only its wordings can tell. */
  readonly accountDigits: number | null;
  /** Why it no longer exists, for a bank that does not: its mails pay nothing any more. */
  readonly closed: string | null;
  /** Why its payments cannot be confirmed, as far as is known; outlived by a wording and a sender that somebody adds. */
  readonly cannot: Cannot | null;
  /** Whether it mails every UPI credit: its own word, what was seen, or a guess; null where nobody says. */
  readonly upiMails: UpiMails | null;
  /** What it calls the setting that switches its alert mails on, where that is known. */
  readonly alertSetting: string | null;
  /** Its mails are reported to tell of money that never came: none pays by itself. */
  readonly reviewOnly: boolean;
  /** Known by its wordings alone: who signs its mails, the workshop learns from the first genuine one. */
  readonly trial: boolean;
  /** Addresses, or `@` and a domain, from which other mail of the bank comes: whatever it says, it pays nothing. */
  readonly neverPays: readonly string[];
  readonly templates: readonly Template[];
  /** How the bank addresses its customer. Only banners stand above it. */
  readonly greetings: readonly RegExp[];
  /** What may stand between the greeting and the statement, or before the greeting in its line. */
  readonly openings: readonly RegExp[];
  /** Wordings that are certainly no incoming money, so that the merchant reads "a debit alert" and not "unreadable". */
  readonly negatives: readonly Negative[];
};

/**
 * `no_upi_mail`: its mails tell of other money only. `sms_only`: it offers SMS, no mail. `no_sender`: the address of
 * its alerts is not known. `card`, `wallet`: no bank account that a customer pays to by UPI.
 */
export const cannotCodes = ['no_upi_mail', 'sms_only', 'no_sender', 'card', 'wallet'] as const;
export type Cannot = (typeof cannotCodes)[number];
/** `some`: seen, but only for some kinds of its accounts. */
export const upiMailsCodes = ['stated', 'seen', 'some', 'likely', 'unknown'] as const;
export type UpiMails = (typeof upiMailsCodes)[number];

export type Template = {
  readonly id: string;
  /** Never seen in a real mail, or learnt by this installation: a trial (`trustOf`). */
  readonly unconfirmed: boolean;
  /** `upi` and `imps` may pay an order; `any` is a bank that does not name the channel; `other` (NEFT, RTGS, cash …) never pays. */
  readonly channel: 'upi' | 'imps' | 'any' | 'other';
  /** Why money that came by `other` pays no order, where there is more to say than the channel. */
  readonly reason: Reason | null;
  readonly subject: RegExp;
  /** Once for each way to print the optional parts that hold a payer's text. */
  readonly body: readonly (readonly Part[])[];
  /** The facts, one a row, below the body as their heading; null where the body itself says all. */
  readonly rows: readonly Row[] | null;
  readonly guards: readonly Guard[];
  /** The words that lead to each fact behind a payer's text, with its value: no place in the mail's source has another. */
  readonly leads: readonly Guard[];
  /** As the data file has it: for the dashboard and for tests that fill every slot. */
  readonly written: {
    readonly subjects: readonly string[];
    readonly body: string;
    readonly rows: readonly WrittenRow[];
  };
};

/** A label and what stands behind it, both as the template language has them; `[label]` is a row that may be missing. */
export type WrittenRow = readonly [label: string, value: string];

export type Row = {
  readonly label: string;
  /** The label at the beginning of a line or cell, with its colon. */
  readonly pattern: RegExp;
  /** The whole value. */
  readonly value: RegExp;
  readonly isRequired: boolean;
  /** Whatever stands there decides nothing. */
  readonly isFree: boolean;
  /** Holds words of a payer. */
  readonly isPayers: boolean;
  /** The facts that it holds. */
  readonly facts: readonly string[];
  /** The label in somebody's words; that of a row without a fact ("Date" is a name) only with its colon. */
  readonly mention: RegExp;
};

/** A stretch of the bank's own, fixed words and values, or a slot that a payer fills. */
export type Part =
  | { readonly kind: 'bank'; readonly pattern: RegExp }
  | { readonly kind: 'payer'; readonly slot: string };

/** The fixed words that lead to one fact; they may stand in a text no more often than in its template. */
export type Guard = { readonly slot: string; readonly pattern: RegExp };

export type Negative = {
  readonly subject: RegExp | null;
  readonly body: RegExp | null;
  readonly reason: Reason;
};

/** What gate 4 hands on. `text` is the signed body part made plain by gate 2, line by line; `subject` is signed too. */
export type Wording = {
  readonly subject: string;
  readonly text: string;
  /** Of HTML: the same with the borders of its cells (`mail/plain-text.ts`). */
  readonly cells?: string | null;
  /** All words of the HTML, seen or not (`sourceText`). */
  readonly source?: string | null;
};

export type CreditFacts = {
  readonly template: string;
  readonly trust: Trust;
  readonly amount: Paise;
  /** RRN or UTR as text, or null where the bank prints none. */
  readonly reference: string | null;
  /** Payer's VPA where printed, else the name; only ever shown as text, never used to decide. */
  readonly payer: string | null;
  /** Trailing digits of the credited account, as many as the bank prints. */
  readonly accountDigits: string | null;
  /** The VPA that received the money, where the bank prints it. */
  readonly payeeVpa: string | null;
  /** Day and minute as the bank prints them; null where it prints only the day. */
  readonly printedAt: string | null;
};

export type Reading =
  | { readonly outcome: 'credit'; readonly facts: CreditFacts; readonly surroundings: string }
  | { readonly outcome: 'not_a_credit'; readonly reason: Reason; readonly facts: CreditFacts | null }
  | {
      readonly outcome: 'unreadable';
      readonly reason: Reason;
      /**
       * The line that keeps a known statement from being believed, written as an entry of the bank's `openings`: once
       * it is listed there, this mail is read. Null where something else is wrong.
       */
      readonly unlistedLine: string | null;
      /** With an unlisted line: the mail around the statement, without anybody's values. */
      readonly surroundings: string | null;
    };

/** The bank whose listed sender this is, exactly but for letter case; there is at most one. */
export function findBank(banks: readonly Bank[], fromAddress: string): Bank | null {
  const address = fromAddress.toLowerCase();
  return banks.find(bank => bank.senders.includes(address)) ?? null;
}

/** Whether this sender is one of the bank's for other things than payments, whoever listed it besides. */
export function neverPays(bank: Pick<Bank, 'neverPays'>, sender: string): boolean {
  const address = sender.toLowerCase();
  return bank.neverPays.some(one => (one.startsWith('@') ? address.endsWith(one) : address === one));
}
