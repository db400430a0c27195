import type { Facts, NoticeKind } from '../texts/say.ts';

export const userRoles = ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier'] as const;

export type UserRole = (typeof userRoles)[number];

/** What a person may choose to be told of, by mail or on their devices. */
export const topics = ['payment', 'money', 'mailbox', 'webhooks'] as const;
export type Topic = (typeof topics)[number];

/** Changes that somebody made are no choice: owners are always mailed, because that is how a theft is noticed. */
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

/** Whoever may open the screens of the business. */
export const readers: readonly UserRole[] = ['owner', 'manager', 'support', 'developer', 'auditor'];

/** A cashier sees payments come in, and nothing else. */
export function rolesFor(topic: Topic): readonly UserRole[] {
  return topic === 'payment' ? [...readers, 'cashier'] : readers;
}

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
