import type { UserRole } from '../../outbox/topics.ts';

export type Role = UserRole | 'operator';
/** `onlooker`: an operator whom an owner allowed to look for an hour. */
export type VisitorRole = Role | 'onlooker';

/** The only list of what each role may do on the dashboard. */
const permissions = {
  self: ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'],
  /** Every screen, without secrets. */
  'business.read': ['owner', 'manager', 'support', 'developer', 'auditor', 'onlooker'],
  /** Counter, new payments and today's payments. */
  'payments.take': ['owner', 'manager', 'support', 'cashier'],
  'links.change': ['owner', 'manager', 'support'],
  'orders.export': ['owner', 'manager', 'support', 'auditor'],
  'webhooks.resend': ['owner', 'manager', 'support', 'developer'],
  'webhooks.change': ['owner', 'manager', 'developer'],
  'keys.change': ['owner', 'manager', 'developer'],
  /** Decides about money that needs a person (R16). */
  'money.decide': ['owner', 'manager'],
  /** Holds a near miss for an order; this accepts nothing. */
  'money.hold': ['owner', 'manager', 'support', 'cashier'],
  /** Accepts a mail that no program could read (R16). */
  'money.read': ['owner'],
  /** A paid order's evidence, with the raw mail and the customer's data. */
  'evidence.export': ['owner'],
  /** Retention of mails, claims, webhook bodies and archives. */
  'keep.choose': ['owner'],
  'upi.change': ['owner', 'manager'],
  /** The sum that needs no person, whether payments without an order count, and accounts that the operator added. */
  'upi.ceiling': ['owner'],
  'mailbox.change': ['owner', 'manager'],
  'business.change': ['owner', 'manager'],
  'team.change': ['owner'],
  /** Shows, exports and erases a customer's data. */
  privacy: ['owner'],
  'business.delete': ['owner'],
  'audit.read': ['owner', 'manager', 'auditor', 'onlooker'],
  'look.allow': ['owner'],
  'look.end': ['onlooker'],
  operator: ['operator'],
} as const satisfies Record<string, readonly VisitorRole[]>;

export type Permission = keyof typeof permissions;

/** Allowed while the business is disabled or about to be deleted: read, export and cancel. */
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

/** Why a role may not do this: never, or not while closed. Only this check keeps an onlooker from changing anything. */
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
