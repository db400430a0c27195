import type { reasons } from './en/reasons.ts';

/** What became of a bank's mail. `unjudged` waits for its judge; `retrying` and `no_order` may still change. */
export const verdicts = [
  'paid',
  'no_order',
  'extra_payment',
  'too_late',
  'wrong_account',
  'wrong_recipient',
  'unreadable',
  'retrying',
  'duplicate',
  'not_a_credit',
  'forged',
  'unjudged',
] as const;
export type Verdict = (typeof verdicts)[number];

/** An alert with one of these has met matching, which never asks about it again. */
export const finalVerdicts = ['paid', 'extra_payment', 'too_late', 'duplicate', 'wrong_account'] as const;
/** Genuine money that paid no order by itself: every gate was passed, and a person may decide about it (R16). */
export const creditVerdicts = ['no_order', 'too_late', 'extra_payment'] as const satisfies readonly Verdict[];
export type CreditVerdict = (typeof creditVerdicts)[number];
/** An alert with one of these may still get another. */
export const openVerdicts = ['unjudged', 'retrying', 'no_order'] as const satisfies readonly Verdict[];
/** A credit was read, whatever it met. */
export const readVerdicts = [...finalVerdicts, 'no_order'] as const satisfies readonly Verdict[];
/** Genuine and a credit, but not of an account or an address of this business: no money of its orders. */
export const notOursVerdicts = ['wrong_account', 'wrong_recipient'] as const satisfies readonly Verdict[];
/** What an operator hears of when there is more of it than usual. */
export const brokenVerdicts = ['unreadable', 'forged'] as const satisfies readonly Verdict[];
/** Nothing was counted for them, so the mail can be judged once more. */
export const repeatableVerdicts = [
  'retrying',
  'forged',
  'unreadable',
  'not_a_credit',
  'wrong_recipient',
] as const satisfies readonly Verdict[];

/**
 * How far the word of a bank's wording goes. `confirmed`: it pays. `trial`: nobody has seen it in a real mail, or this
 * installation learnt it, so a business looks for the first payments by it itself. `review_only`: it never pays by itself.
 */
export type Trust = 'confirmed' | 'trial' | 'review_only';

/** A name, a number, a moment or another reason, as it stands in the sentence that a language makes of it. */
export type Fact = string | number | Date | Reason;

/**
 * Why something is as it is: a code and its facts, worded where a person reads it (`texts/say.ts`). The English text
 * of a code names its facts in braces, so that a reason without its fact does not compile.
 */
export type Reason = { [Code in ReasonCode]: ReasonOf<Code> }[ReasonCode];
export type ReasonCode = keyof typeof reasons;
type ReasonOf<Code extends ReasonCode> = {
  readonly code: Code;
  readonly facts: FactsOf<(typeof reasons)[Code]>;
};

/** The names in braces, apart from `{service}`, which is the name of this installation. */
export type FactsOf<Text extends string> = { readonly [Name in NamesIn<Text>]: Fact };
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'service'> | NamesIn<Rest>
  : never;

type Given<Code extends ReasonCode> = [NamesIn<(typeof reasons)[Code]>] extends [never]
  ? []
  : [facts: FactsOf<(typeof reasons)[Code]>];

export function because<Code extends ReasonCode>(code: Code, ...[facts]: Given<Code>): Reason {
  return { code, facts: storableFacts(facts ?? {}) } as unknown as Reason;
}

/** Longer than any name or address, and than what a mail server is quoted with. */
export const longestFact = 2_000;

/**
 * Facts may be a stranger's words, and a row keeps them: PostgreSQL refuses NUL, half a surrogate pair is no text, and a
 * line break could end a mail's header early or look like a line of ours.
 */
export function storableFacts<Facts extends Record<string, Fact>>(facts: Facts): Facts {
  const storable = Object.entries(facts).map(([name, fact]) => [
    name,
    typeof fact === 'string'
      ? fact
          .slice(0, longestFact)
          .toWellFormed()
          .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      : fact,
  ]);
  return Object.fromEntries(storable) as Facts;
}
