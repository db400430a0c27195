import type { Sql } from './connect.ts';

/** A rule that must never break, as a question to the whole database. Each breach is one line for the operator. */
export type RuleCheck = { rule: string; sentence: string; breaches(sql: Sql): Promise<string[]> };
