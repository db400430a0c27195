export const userRoles = ['owner', 'manager', 'support', 'developer', 'auditor', 'cashier'] as const;

export type UserRole = (typeof userRoles)[number];
