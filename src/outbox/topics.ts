import type { Facts, NoticeKind } from '../texts/say.ts';

export const userRoles = ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier'] as const;

export type UserRole = (typeof userRoles)[number];

/** The kinds of news that a person can choose for mail and devices. */
export const topics = ['payment', 'money', 'mailbox', 'webhooks'] as const;
export type Topic = (typeof topics)[number];

/** Null: owners are always mailed about changes that somebody made, because that is how they notice a theft. */
export const topicOf: Record<NoticeKind, Topic | null> = {
  money_unmatched: 'money',
  order_waits: 'money',
  link_oversold: 'money',
  statement_missing: 'money',
  alert_held: 'money',
  alert_unreadable: 'money',
  alert_forged: 'money',
  mailbox_blind: 'mailbox',
  mail_changed: 'mailbox',
  mailbox_seeing: 'mailbox',
  forwarding_silent: 'mailbox',
  forwarding_heard: 'mailbox',
  orders_unconfirmable: 'mailbox',
  webhook_failing: 'webhooks',
  webhook_working: 'webhooks',
  webhook_given_up: 'webhooks',
  month_nearly_full: 'money',
  month_full: 'money',
  accounts_paused: 'money',
  chat_off: null,
  history_shorter: null,
  plan_ending: null,
  plan_ended: null,
  plan_over: null,
  done: null,
  deed: null,
};

/** The roles that may open the business's screens. */
export const readers: readonly UserRole[] = ['owner', 'manager', 'support', 'developer', 'auditor'];

/** Cashiers see payments only, and of orders only those made at the counter or by a link. */
export function rolesFor(topic: Topic): readonly UserRole[] {
  return topic === 'payment' ? [...readers, 'cashier'] : readers;
}

const aboutPlans = new Set<NoticeKind>([
  ...(['month_nearly_full', 'month_full', 'accounts_paused'] as const),
  ...(['plan_ending', 'plan_ended', 'plan_over'] as const),
]);

/** Returns the screen of the notice's subject; null if a list shows it. */
export function noticePath({ kind, facts }: { kind: NoticeKind; facts: Facts }): string | null {
  if (aboutPlans.has(kind)) return '/dashboard/plan';
  const { alert } = Object(facts) as Facts;
  const isHeld = kind === 'alert_held' && typeof alert === 'string';
  return isHeld ? `/dashboard/money/held/${encodeURIComponent(alert)}` : null;
}
