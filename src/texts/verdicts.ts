import type { reasons } from './en/reasons.ts';

/** The result for a bank's mail. `unjudged` was not checked yet; `retrying` and `no_order` may still change. */
export type Verdict =
  | 'paid'
  | 'no_order'
  | 'extra_payment'
  | 'too_late'
  | 'wrong_account'
  | 'wrong_recipient'
  | 'unreadable'
  | 'retrying'
  | 'duplicate'
  | 'not_a_credit'
  | 'forged'
  | 'unjudged';

/** An alert with one of these has finished matching. */
export const finalVerdicts = ['paid', 'extra_payment', 'too_late', 'duplicate', 'wrong_account'] as const;
/** A genuine credit that paid no order automatically. It passed every gate, and a person may decide about it (R16). */
export const creditVerdicts = ['no_order', 'too_late', 'extra_payment'] as const satisfies readonly Verdict[];
export type CreditVerdict = (typeof creditVerdicts)[number];
/** These may still change. */
export const openVerdicts = ['unjudged', 'retrying', 'no_order'] as const satisfies readonly Verdict[];
/** A credit was read from the mail. */
export const readVerdicts = [...finalVerdicts, 'no_order'] as const satisfies readonly Verdict[];
/** A genuine credit to an account or address that is not this business's. */
export const notOursVerdicts = ['wrong_account', 'wrong_recipient'] as const satisfies readonly Verdict[];
/** The operator is notified if there are more than usual. */
export const brokenVerdicts = ['unreadable', 'forged'] as const satisfies readonly Verdict[];
/** The mail can be checked again, because nothing was credited. */
export const repeatableVerdicts = [
  'retrying',
  'forged',
  'unreadable',
  'not_a_credit',
  'wrong_recipient',
] as const satisfies readonly Verdict[];

/**
 * How far a bank wording is trusted. `confirmed` pays. `trial` was never seen in a real mail, or was learnt here, so a
 * business checks its first payments. `review_only` never pays automatically.
 */
export type Trust = 'confirmed' | 'trial' | 'review_only';

export type Fact = string | number | Date | Reason;

/**
 * A code with its facts; `texts/say.ts` words it for the reader. The English text names the facts in braces, so a
 * reason without its fact does not compile.
 */
export type Reason = { [Code in ReasonCode]: ReasonOf<Code> }[ReasonCode];
export type ReasonCode = keyof typeof reasons;
type ReasonOf<Code extends ReasonCode> = {
  readonly code: Code;
  readonly facts: FactsOf<(typeof reasons)[Code]>;
};

/** The placeholder names, except `{service}`, the installation's name. */
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

/** Longer than any name, address or quoted mail server answer. */
export const longestFact = 2_000;

/**
 * Facts may contain untrusted text. PostgreSQL refuses NUL and half surrogate pairs. A line break could end a mail
 * header or imitate our own lines.
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
