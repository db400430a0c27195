import type { UserRole } from '../../outbox/user-roles.ts';

export type Role = UserRole | 'operator';

/** What somebody may do on the dashboard, and which roles may: the one table. */
const permissions = {
  /** Own password, second factor, passkeys, sessions, language. */
  self: ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'],
  /** Every screen of the business, without its secrets. */
  'business.read': ['owner', 'manager', 'support', 'developer', 'auditor'],
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
  'upi.change': ['owner', 'manager'],
  /** Up to which sum payments are confirmed without a person, and whether those without an order are counted. */
  'upi.ceiling': ['owner'],
  /** Mailbox and extra alert addresses. */
  'mailbox.change': ['owner', 'manager'],
  'business.change': ['owner', 'manager'],
  'team.change': ['owner'],
  /** What is known of a customer: seen, taken along, erased. */
  privacy: ['owner'],
  'business.delete': ['owner'],
  'audit.read': ['owner', 'manager', 'auditor'],
  operator: ['operator'],
} as const satisfies Record<string, readonly Role[]>;

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
  'operator',
];

export function mayDo(role: Role, permission: Permission, closed = false): boolean {
  if (closed && !whileClosed.includes(permission)) return false;
  return (permissions[permission] as readonly Role[]).includes(role);
}

/** Why a role may not do it now: it never may, or it may while the business is open; null when it may. */
export function refusedTo(
  role: Role,
  permission: Permission,
  closed: boolean,
): 'forbidden' | 'closed' | null {
  if (mayDo(role, permission, closed)) return null;
  return mayDo(role, permission) ? 'closed' : 'forbidden';
}
