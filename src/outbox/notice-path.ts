import type { Facts, NoticeKind } from '../texts/say.ts';

/** The screen of the very thing that a notice tells of; null where it is told of by a list. */
export function noticePath({ kind, facts }: { kind: NoticeKind; facts: Facts }): string | null {
  if (kind === 'plan_ending' || kind === 'plan_ended' || kind === 'plan_over') return '/dashboard/plan';
  return kind === 'alert_held' ? `/dashboard/money/held/${String(facts['alert'])}` : null;
}
