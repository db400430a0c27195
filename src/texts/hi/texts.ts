export * from './account.ts';
export * from './audit.ts';
export * from './business.ts';
export * from './counter.ts';
export * from './first-steps.ts';
export * from './home.ts';
export * from './integrations.ts';
export * from './mailbox.ts';
export * from './mails.ts';
export * from './money.ts';
export * from './orders.ts';
export * from './payments.ts';
export * from './privacy.ts';
export { reasons } from './reasons.ts';
export * from './shell.ts';
export * from './shop.ts';
export * from './sound-box.ts';

export const language = 'हिन्दी';
