import type { Queryable } from './connect.ts';

/** A rule that must never break, as a question about every business. Each breach is one line for the operator. */
export type RuleCheck = { rule: string; sentence: string; breaches(sql: Queryable): Promise<string[]> };
