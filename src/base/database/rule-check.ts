import type { Queryable } from './connect.ts';

/** A rule that must never break, as a question about every business. Each breach is one line for the operator. */
export type RuleCheck = { rule: string; sentence: string; breaches(sql: Queryable): Promise<string[]> };

/** A rule that one statement can ask about: each of its rows is a breach, in words as `line`. */
export function ruleCheck(
  rule: string,
  sentence: string,
  ask: (sql: Queryable) => Promise<Record<string, unknown>[]>,
): RuleCheck {
  return { rule, sentence, breaches: async sql => (await ask(sql)).map(row => String(row['line'])) };
}
