import type { Paise } from '../../base/money.ts';
import type { Reason, Trust } from '../../texts/verdicts.ts';
import type { Signer } from '../origin/weigh-signature.ts';

/** One bank, parsed from its data file. Banks are data: a new one needs no release. */
export type Bank = Signer & {
  /** Short lower-case key, the name of its file: `hdfc`. */
  readonly id: string;
  /** The part to read if a mail has both; a mail with only one part is read whichever it is. */
  readonly part: 'html' | 'text';
  /** How many trailing digits of the account its alerts print; null if only its templates show that. */
  readonly accountDigits: number | null;
  /** Why the bank no longer exists, or null. Mails of a closed bank pay nothing. */
  readonly closed: string | null;
  /** Why its payments cannot be confirmed, as far as is known. A template with a sender overrides it. */
  readonly cannot: Cannot | null;
  /** Whether it mails every UPI credit: as stated, as seen, or as guessed; null if unknown. */
  readonly upiMails: UpiMails | null;
  /** The day on which the entry was last compared with what is known of its mails, `2026-11-19`; null if unknown. */
  readonly checked: string | null;
  /** The bank's name for the setting that switches its alert mails on, if known. */
  readonly alertSetting: string | null;
  /** Its mails reportedly announce money that never came, so none pays by itself. */
  readonly reviewOnly: boolean;
  /** Only its templates are known. The workshop learns its signing domain from the first genuine mail. */
  readonly trial: boolean;
  /** Addresses, or `@` and a domain, that send the bank's other mail. Such mail never pays. */
  readonly neverPays: readonly string[];
  readonly templates: readonly Template[];
  /** How the bank addresses its customer. Only banners may come above it. */
  readonly greetings: readonly RegExp[];
  /** Lines that may come between the greeting and the statement, or before the greeting in its line. */
  readonly openings: readonly RegExp[];
  /** Those of `openings` that the operator added. They vouch only for statements longer than a payer's text. */
  readonly listed: readonly RegExp[];
  /** Certainly no incoming money, so that the merchant reads "a debit alert" and not "unreadable". */
  readonly negatives: readonly Negative[];
};

/**
 * `no_upi_mail`: it mails about other money only. `sms_only`: it offers SMS, no mail. `no_sender`: the address of its
 * alerts is not known. `card`, `wallet`: no bank account that a customer pays to by UPI.
 */
export const cannotCodes = ['no_upi_mail', 'sms_only', 'no_sender', 'card', 'wallet'] as const;
export type Cannot = (typeof cannotCodes)[number];
/** `some`: seen, but only for some kinds of its accounts. */
export const upiMailsCodes = ['stated', 'seen', 'some', 'likely', 'unknown'] as const;
export type UpiMails = (typeof upiMailsCodes)[number];

export type Template = {
  readonly id: string;
  /** Never seen in a real mail, or learnt by this installation: it is on trial (`trustOf`). */
  readonly unconfirmed: boolean;
  /**
   * `upi` and `imps` may pay an order; in `any` the bank names no channel; `other` (NEFT, RTGS, cash …) never pays.
   */
  readonly channel: 'upi' | 'imps' | 'any' | 'other';
  /** Why money that came by `other` pays no order, if there is more to say than the channel. */
  readonly reason: Reason | null;
  readonly subject: RegExp;
  /** One entry for each way to print the optional parts that hold a payer's text. */
  readonly body: readonly (readonly Part[])[];
  /** The facts, one per row, below the body as their heading; null if the body contains all facts. */
  readonly rows: readonly Row[] | null;
  readonly guards: readonly Guard[];
  /** For each fact after a payer's text, the words before it with its value. The source must have no other value. */
  readonly leads: readonly Guard[];
  /** The readable form from the data file: for the dashboard, and for tests that fill every slot. */
  readonly written: {
    readonly subjects: readonly string[];
    readonly body: string;
    readonly rows: readonly WrittenRow[];
  };
};

/** A label and its value, both in the template language; `[label]` marks a row that may be missing. */
export type WrittenRow = readonly [label: string, value: string];

export type Row = {
  readonly label: string;
  /** The label at the beginning of a line or cell, with its colon. */
  readonly pattern: RegExp;
  readonly value: RegExp;
  readonly isRequired: boolean;
  /** The value decides nothing. */
  readonly isFree: boolean;
  readonly isPayers: boolean;
  readonly facts: readonly string[];
  /** The label within other text. A row without a fact matches only with its colon, because "Date" can be a name. */
  readonly mention: RegExp;
};

export type Part =
  | { readonly kind: 'bank'; readonly pattern: RegExp }
  | { readonly kind: 'payer'; readonly slot: string };

/** The fixed words before one fact. A text may contain them no more often than its template does. */
export type Guard = { readonly slot: string; readonly pattern: RegExp };

export type Negative = {
  readonly subject: RegExp | null;
  readonly body: RegExp | null;
  readonly reason: Reason;
};

/** The result of gate 4: `text` is the signed body part, made plain by gate 2; `subject` is signed too. */
export type Wording = {
  readonly subject: string;
  readonly text: string;
  /** For HTML: the same text with the borders of its cells (`mail/plain-text.ts`). */
  readonly cells?: string | null;
  /** All words of the HTML, visible or not (`sourceText`). */
  readonly source?: string | null;
};

export type CreditFacts = {
  readonly template: string;
  readonly trust: Trust;
  readonly amount: Paise;
  /** The RRN or UTR as text; null if the bank prints none. */
  readonly reference: string | null;
  /** The payer's VPA if printed, else the name. It is only shown, and never decides anything. */
  readonly payer: string | null;
  /** The trailing digits of the credited account, as many as the bank prints. */
  readonly accountDigits: string | null;
  readonly payeeVpa: string | null;
  /** Day and minute as the bank prints them; null if it prints only the day. */
  readonly printedAt: string | null;
};

export type Reading =
  | { readonly outcome: 'credit'; readonly facts: CreditFacts; readonly surroundings: string }
  | { readonly outcome: 'not_a_credit'; readonly reason: Reason; readonly facts: CreditFacts | null }
  | {
      readonly outcome: 'unreadable';
      readonly reason: Reason;
      /**
       * The line that prevents a known statement from being believed, as an entry for the bank's `openings`. This mail
       * can be read once that entry is listed. Null if something else is wrong.
       */
      readonly unlistedLine: string | null;
      /** With an unlisted line: the mail around the statement, without personal values. */
      readonly surroundings: string | null;
    };

/** The bank that lists this sender, compared without letter case; at most one does. */
export function findBank(banks: readonly Bank[], fromAddress: string): Bank | null {
  const address = fromAddress.toLowerCase();
  return banks.find(bank => bank.senders.includes(address)) ?? null;
}

/** Whether the bank uses this sender for mail other than payments. This wins over any list of senders. */
export function neverPays(bank: Pick<Bank, 'neverPays'>, sender: string): boolean {
  const address = sender.toLowerCase();
  return bank.neverPays.some(one => (one.startsWith('@') ? address.endsWith(one) : address === one));
}
