import type { Queryable } from './connect.ts';

/** An invariant, checked for every business. Each breach is one line for the operator. */
export type RuleCheck = { rule: string; sentence: string; breaches(sql: Queryable): Promise<string[]> };

/** A rule that one statement checks: each row is a breach, described in `line`. */
export function ruleCheck(
  rule: string,
  sentence: string,
  ask: (sql: Queryable) => Promise<Record<string, unknown>[]>,
): RuleCheck {
  return { rule, sentence, breaches: async sql => (await ask(sql)).map(row => String(row['line'])) };
}
