import type { UserRole } from '../../outbox/topics.ts';

export type Role = UserRole | 'operator';
/** `onlooker`: an operator, for the hour in which an owner lets them look. */
export type VisitorRole = Role | 'onlooker';

/** What somebody may do on the dashboard, and which roles may: the one table. */
const permissions = {
  /** Own password, second factor, passkeys, sessions, language. */
  self: ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'],
  /** Every screen of the business, without its secrets. */
  'business.read': ['owner', 'manager', 'support', 'developer', 'auditor', 'onlooker'],
  /** The counter and a new payment, with today's payments. */
  'payments.take': ['owner', 'manager', 'support', 'cashier'],
  /** Links that stay. */
  'links.change': ['owner', 'manager', 'support'],
  'orders.export': ['owner', 'manager', 'support', 'auditor'],
  'webhooks.resend': ['owner', 'manager', 'support', 'developer'],
  /** Webhook secret (show, rotate) and test events. */
  'webhooks.change': ['owner', 'manager', 'developer'],
  'keys.change': ['owner', 'manager', 'developer'],
  /** What becomes of money that needs a person (R16). */
  'money.decide': ['owner', 'manager'],
  /** Holds what came near beside the order it may be for; nothing is accepted by it. */
  'money.hold': ['owner', 'manager', 'support', 'cashier'],
  /** Takes a mail that no program could read (R16). */
  'money.read': ['owner'],
  /** The pack of evidence for a paid order: the raw mail and the customer's data. */
  'evidence.export': ['owner'],
  /** How long mails, claims, webhook bodies and archives are kept. */
  'keep.choose': ['owner'],
  'upi.change': ['owner', 'manager'],
  /**
   * Up to which sum payments are confirmed without a person, whether those without an order are counted, and whether an
   * account that the operator added takes orders.
   */
  'upi.ceiling': ['owner'],
  /** Mailbox and extra alert addresses. */
  'mailbox.change': ['owner', 'manager'],
  'business.change': ['owner', 'manager'],
  'team.change': ['owner'],
  /** What is known of a customer: seen, taken along, erased. */
  privacy: ['owner'],
  'business.delete': ['owner'],
  'audit.read': ['owner', 'manager', 'auditor', 'onlooker'],
  /** Lets an operator look at every screen for an hour, and ends it. */
  'look.allow': ['owner'],
  'look.end': ['onlooker'],
  operator: ['operator'],
} as const satisfies Record<string, readonly VisitorRole[]>;

export type Permission = keyof typeof permissions;

/** What remains possible while the business is disabled or about to be deleted: look, take along, come back. */
const whileClosed: readonly Permission[] = [
  'self',
  'business.read',
  'orders.export',
  'evidence.export',
  'privacy',
  'business.delete',
  'audit.read',
  'look.allow',
  'look.end',
  'operator',
];

export function mayDo(role: VisitorRole, permission: Permission, closed = false): boolean {
  if (closed && !whileClosed.includes(permission)) return false;
  return (permissions[permission] as readonly VisitorRole[]).includes(role);
}

/**
 * Why a role may not do it now: it never may, or it may while the business is open; null when it may. Whoever only looks
 * changes nothing, whatever page it is: this is the one place that says so.
 */
export function refusedTo(
  role: VisitorRole,
  { permission, method }: { permission: Permission; method: 'GET' | 'POST' },
  closed: boolean,
): 'forbidden' | 'closed' | 'looking' | null {
  if (role === 'onlooker' && permission !== 'look.end' && (method === 'POST' || !mayDo(role, permission)))
    return 'looking';
  if (mayDo(role, permission, closed)) return null;
  return mayDo(role, permission) ? 'closed' : 'forbidden';
}
