import type { account } from './en/account.ts';
import type { business } from './en/business.ts';

/** What people read on the dashboard, one part for each group of screens. A further language is one more folder. */
export type Texts = {
  /** The name of the language in itself, and its tag. */
  language: string;
  tag: 'en' | 'hi';
  shell: ShellTexts;
  /** Signing in, and one's own account. */
  account: typeof account;
  /** Team, settings, audit log. */
  business: typeof business;
};

export type ShellTexts = {
  product: string;
  menu: string;
  skip: string;
  signOut: string;
  yourAccount: string;
  roles: Record<'owner' | 'manager' | 'support' | 'developer' | 'auditor' | 'operator', string>;
  navigation: Record<
    | 'home'
    | 'firstSteps'
    | 'orders'
    | 'alerts'
    | 'upiAccounts'
    | 'mailbox'
    | 'integrations'
    | 'webhooks'
    | 'notices'
    | 'plan'
    | 'team'
    | 'settings'
    | 'audit'
    | 'operator'
    | 'operatorHealth',
    string
  >;
  copy: string;
  copied: string;
  newer: string;
  older: string;
  cancel: string;
  back: string;
  save: string;
  optional: string;
  problems: string;
  businessDisabled: string;
  businessLeaving: string;
  seeSettings: string;
  notFoundTitle: string;
  notFoundText: string;
  forbiddenTitle: string;
  forbiddenText: string;
  closedTitle: string;
  closedText: string;
  otherSiteTitle: string;
  otherSiteText: string;
  badFormTitle: string;
  badFormText: string;
  unavailableTitle: string;
  unavailableText: string;
  brokenTitle: string;
  brokenText: (requestId: string) => string;
  goHome: string;
};
