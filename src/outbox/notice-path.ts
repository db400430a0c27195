import type { Facts, NoticeKind } from '../texts/say.ts';

const aboutPlans = new Set<NoticeKind>([
  ...(['month_nearly_full', 'month_full', 'accounts_paused'] as const),
  ...(['plan_ending', 'plan_ended', 'plan_over'] as const),
]);

/** The screen of the very thing that a notice tells of; null where it is told of by a list. */
export function noticePath({ kind, facts }: { kind: NoticeKind; facts: Facts }): string | null {
  if (aboutPlans.has(kind)) return '/dashboard/plan';
  const { alert } = Object(facts) as Facts;
  const isHeld = kind === 'alert_held' && typeof alert === 'string';
  return isHeld ? `/dashboard/money/held/${encodeURIComponent(alert)}` : null;
}
