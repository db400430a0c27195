import type { Permission } from '../../src/business/accounts/may-do.ts';

/** A second copy of the product's table, so that a typo in that table fails a test. */
export const permissionsAsExpected: Record<Permission, string> = {
  self: 'owner manager support developer auditor cashier operator',
  'business.read': 'owner manager support developer auditor onlooker',
  'payments.take': 'owner manager support cashier',
  'links.change': 'owner manager support',
  'orders.export': 'owner manager support auditor',
  'webhooks.resend': 'owner manager support developer',
  'webhooks.change': 'owner manager developer',
  'keys.change': 'owner manager developer',
  'money.decide': 'owner manager',
  'money.hold': 'owner manager support cashier',
  'money.read': 'owner',
  'evidence.export': 'owner',
  'keep.choose': 'owner',
  'upi.change': 'owner manager',
  'upi.ceiling': 'owner',
  'mailbox.change': 'owner manager',
  'business.change': 'owner manager',
  'team.change': 'owner',
  privacy: 'owner',
  'business.delete': 'owner',
  'audit.read': 'owner manager auditor onlooker',
  'look.allow': 'owner',
  'look.end': 'onlooker',
  operator: 'operator',
};
