import type { TextSet } from '../texts.ts';
import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { banks } from './banks.ts';
import { business } from './business.ts';
import { connect } from './connect.ts';
import { firstSteps } from './first-steps.ts';
import { forwarding } from './forwarding.ts';
import { home } from './home.ts';
import { integrations } from './integrations.ts';
import { landing } from './landing.ts';
import { mailbox } from './mailbox.ts';
import { mails } from './mails.ts';
import { money } from './money.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { operator } from './operator.ts';
import { operatorBanks } from './operator-banks.ts';
import { orders } from './orders.ts';
import { page } from './page.ts';
import { plan } from './plan.ts';
import { pushes } from './pushes.ts';
import { reasons } from './reasons.ts';
import { shell } from './shell.ts';
import { statement } from './statement.ts';
import { summary } from './summary.ts';
import { till } from './till.ts';
import { tryMail } from './try-mail.ts';
import { upiAccounts } from './upi-accounts.ts';
import { verdicts } from './verdicts.ts';
import { webhooks } from './webhooks.ts';
import { widget } from './widget.ts';
import { workshop } from './workshop.ts';

export const texts: TextSet = {
  language: 'हिन्दी',
  account,
  alerts,
  audit,
  banks,
  business,
  connect,
  firstSteps,
  forwarding,
  home,
  integrations,
  landing,
  mailbox,
  mails,
  money,
  news,
  notices,
  operator,
  operatorBanks,
  orders,
  page,
  plan,
  pushes,
  reasons,
  shell,
  statement,
  summary,
  till,
  tryMail,
  upiAccounts,
  verdicts,
  webhooks,
  widget,
  workshop,
};
