import type { Page } from 'playwright-core';
import { inviteByPhone } from '../../src/business/accounts/join-by-phone.ts';
import { makeLink } from '../../src/business/accounts/links.ts';
import { beginTotp } from '../../src/business/accounts/second-factor.ts';
import { addUpiAccount } from '../../src/business/merchants/upi-accounts.ts';
import { connectRoutes } from '../../src/developers/connect/routes.ts';
import { beginMove } from '../../src/operator/moving/pause-merchant.ts';
import { addBusyShop } from './busy-shop.ts';
import { askToConnect } from './connecting-shop.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard, type TestUser } from './dashboard-site.ts';
import { addMoneyShop } from './money-shop.ts';
import {
  addEmptyShop,
  addProcesses,
  addProvingShop,
  addTrialShop,
  endOne,
  leaveTraces,
  payFromElsewhere,
  uploadMail,
} from './shops-for-screens.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from './test-world.ts';
import { addWatchedBanks } from './watched-banks.ts';

/** One screen of the dashboard as one person sees it. */
export type Screen = {
  name: string;
  path: string;
  who: TestUser | null;
  /** A step on the way or an empty state: fewer looks at it are enough. */
  small?: true;
  /** It is looked at in Hindi too. */
  hindi?: true;
  before?: (page: Page) => Promise<void>;
};

/** The dashboard with something on every screen, and a list of all of them: for pictures and for axe. */
export async function openEveryScreen() {
  const world = await openTestWorld({
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@milaan.example',
    PUSH_KEY: '07'.repeat(32),
  });
  Object.assign(world.config, { signups: 'open' });
  const site = await openDashboard(world, app => connectRoutes(app, world));
  const screens = await listScreens(world, site);
  return {
    world,
    site,
    screens,
    async stop() {
      await site.stop();
      await world.stop();
    },
  };
}

async function listScreens(world: TestWorld, site: DashboardSite): Promise<Screen[]> {
  const shop = await addBusyShop(world);
  await addWatchedBanks(world);
  const ownerOf = (merchantId: number) => addTestUser(world, merchantId, 'owner');
  const owner = await ownerOf(shop.merchantId);
  const support = await addTestUser(world, shop.merchantId, 'support');
  const operator = await addTestUser(world, 0, 'operator');
  world.dns.addresses.set('localhost', ['127.0.0.1']);
  const newcomer = await ownerOf(await addEmptyShop(world));
  const prover = await ownerOf(await addProvingShop(world, 'Chai Corner'));
  const mistaken = await addProvingShop(world, 'Idli Inn');
  await payFromElsewhere(world, mistaken);
  const money = await addMoneyShop(world, 'Biryani Bhavan');
  const decider = await ownerOf(money.merchantId);
  await endOne(world, site, money, decider);
  const left = await addTestMerchant(world, { name: 'Paratha Place' });
  await world.sql.begin(tx => beginMove(tx, left.merchantId, 'leaving', world.clock.now()));
  const trial = await addTrialShop(world);
  const tester = await ownerOf(trial.merchantId);
  const account = { vpa: 'trial@okhdfcbank', payeeName: 'Trial', kind: 'personal', bank: 'hdfc' } as const;
  const proposed = await world.sql.begin(tx => addUpiAccount(tx, world, trial.merchantId, account, false));
  await beginTotp(world, owner);
  const second = await leaveTraces(world, site, owner, shop.accountId);
  await addProcesses(world);
  const invitation = { purpose: 'join', email: 'new@chaipoint.in', role: 'support', made_by: '' } as const;
  const join = await world.sql.begin(tx =>
    makeLink(tx, world, { merchant_id: shop.merchantId, ...invitation }),
  );

  const byPhone = await world.sql.begin(tx =>
    inviteByPhone(tx, world, { merchantId: shop.merchantId, name: 'Kiran', by: owner.email }),
  );

  const cashier = await addTestUser(world, shop.merchantId, 'cashier');
  const made = await (await callAs(site, world, owner)).post('/dashboard/links', {
    title: 'Six kulhads',
    amount: '540',
  });
  const link = String(made.headers.location).split('/').at(-1)!;
  const atCounter = await callAs(site, world, cashier);
  await atCounter.post('/dashboard/counter', { amount: '120', purpose: 'Two masala chai' });

  const of = (who: TestUser | null, list: [name: string, path: string, more?: Partial<Screen>][]): Screen[] =>
    list.map(([name, path, more]) => ({ name, path: `/dashboard${path}`, who, ...more }));
  const [small, hindi] = [{ small: true }, { hindi: true }] as const;
  return [
    ...of(null, [
      ['sign-in', '/sign-in', hindi],
      ['sign-in-code', '/sign-in/code', small],
      ['sign-up', '/sign-up'],
      ['sign-up-privacy', '/sign-up/privacy'],
      ['recover', '/recover'],
      ['join', new URL(join).pathname.replace('/dashboard', ''), small],
      ['join-phone', new URL(byPhone).pathname.replace('/dashboard', ''), hindi],
      ['join-unknown', '/join/nope', small],
    ]),
    ...of(owner, [
      ['home', '', hindi],
      ['home-month', '?period=month'],
      ['to-do', '/to-do', hindi],
      ['first-steps-done', '/first-steps?bank=hdfc', small],
      ['counter', '/counter', hindi],
      ['sound-box', '/counter/box', hindi],
      ['links', '/links', hindi],
      ['link-new', '/links/new', small],
      ['link', `/links/${link}`, hindi],
      ['poster', `/poster?of=${link}`, hindi],
      ['poster-account', '/poster', small],
      ['payments', '/payments', hindi],
      ['payments-found', '/payments?view=orders&status=paid&q=499.37'],
      ['report-day', '/reports', hindi],
      ['report-month', '/reports/month', hindi],
      ['report-year', '/reports/year?period=2026', hindi],
      ['payment', `/orders/${shop.paid.orderId}`, hindi],
      ['give-back', `/orders/${shop.paid.orderId}/give-back`, hindi],
      ['payments-few', '/payments?view=decide'],
      ['payments-not-counted', '/payments/not-counted'],
      ['shop', '/shop', hindi],
      ['shop-bank', '/shop/bank', hindi],
      ['upi-account', `/upi-accounts/${shop.accountId}`],
      ['upi-account-add', '/upi-accounts/add', small],
      ['remove-account', `/upi-accounts/${second}/remove`, small],
      ['change-bank', `/upi-accounts/${second}/bank`, small],
      ['mailbox', '/mailbox', hindi],
      ['disconnect-mailbox', '/mailbox/disconnect', small],
      ['integrations', '/integrations'],
      ['connect', `/connect?${new URLSearchParams(askToConnect().parameters)}`, hindi],
      ['webhooks', '/webhooks'],
      ['shop-notifications', '/shop/notifications', hindi],
      ['plan', '/plan'],
      ['team', '/team', hindi],
      ['invite', '/team/invite', small],
      ['member', `/team/members/${support.userId}`, small],
      ['shop-customers', '/shop/customers', hindi],
      ['shop-rules', '/shop/rules', hindi],
      ['shop-privacy', '/shop/privacy', hindi],
      ['delete-business', '/settings/delete'],
      ['leave', '/settings/leave', hindi],
      ['report-check', '/reports/check', hindi],
      ['audit', '/audit'],
      ['account', '/account'],
      ['password', '/account/password', small],
      ['two-step', '/account/two-step', small],
      ['two-step-off', '/account/two-step/off', small],
      ['passkey', '/account/passkeys', small],
      ['confirm', '/confirm?next=/dashboard/shop/bank', small],
      ['not-found', '/nothing', small],
    ]),
    ...of(prover, [['first-steps', '/first-steps?bank=hdfc', hindi]]),
    ...of(await ownerOf(mistaken), [['first-steps-correct', '/first-steps', small]]),
    ...of(decider, [
      ['payments-decide', '/payments?view=decide', hindi],
      ['money-payment', `/money/${money.nearMiss.alertId}`, hindi],
      ['money-search', `/money/${money.nearMiss.alertId}?q=nobody`, { ...small, ...hindi }],
      ['money-decide', `/money/${money.nearMiss.alertId}/orders/${money.nearMiss.orderId}`, hindi],
      ['money-give-back', `/money/${money.nearMiss.alertId}/give-back`, hindi],
      ['payments-returned', '/payments?view=returned', hindi],
      ['payments-none-refused', '/payments/not-counted', { ...small, ...hindi }],
      ['order-in-review', `/orders/${money.waiting.orderId}`, hindi],
      ['shop-plain', '/shop', { ...small, ...hindi }],
      ['webhooks-plain', '/webhooks', { ...small, ...hindi }],
    ]),
    ...of(tester, [
      ['look-for', `/orders/${trial.orderId}`, hindi],
      ['look-for-decide', `/money/${trial.alertId}/orders/${trial.orderId}`, hindi],
      ['look-for-proof', '/first-steps', hindi],
      ['look-for-accounts', '/shop/bank', hindi],
      ['confirm-account', `/upi-accounts/${proposed}/confirm`, small],
      ['ceiling', `/upi-accounts/${trial.accountId}/ceiling`, hindi],
    ]),
    ...of(await ownerOf(left.merchantId), [['left', '/settings/leave', hindi]]),
    ...of(newcomer, [
      ['home-empty', '', hindi],
      ['first-steps-empty', '/first-steps', small],
      ['first-steps-cannot', '/first-steps?bank=icici', small],
      ['first-steps-few-digits', '/first-steps?bank=equitas&mails=yes&writes_to=', small],
      ['first-steps-mail', '/first-steps?bank=hdfc', { ...small, before: page => uploadMail(world, page) }],
      ...[
        ...['payments', 'payments?view=decide', 'payments?view=orders', 'payments/not-counted'],
        ...['reports', 'reports/month', 'reports/year', 'reports/check', 'to-do', 'shop/bank', 'mailbox'],
        ...['integrations', 'webhooks', 'shop', 'shop/notifications', 'plan', 'shop/privacy'],
      ].map((path): [string, string, Partial<Screen>] => [
        `${path.replace('/', '-')}-empty`,
        `/${path}`,
        small,
      ]),
    ]),
    ...of(cashier, [
      ['cashier-counter', '/counter', hindi],
      ['cashier-today', '/counter/today', hindi],
    ]),
    ...of(operator, [
      ['operator', '/operator'],
      ['operator-business', `/operator/businesses/${shop.merchantId}`],
      ['operator-health', '/operator/health'],
      ['operator-audit', '/operator/audit'],
      ['operator-banks', '/operator/banks'],
      ['operator-bank', '/operator/banks/hdfc'],
      ['operator-bank-plain', '/operator/banks/idfc-first', small],
      ['workshop', '/operator/workshop'],
      ['operator-plans', '/operator/plans'],
      ['operator-plan', '/operator/plans/standard', small],
      ['operator-sales', '/operator/sales', small],
      ['operator-watch', '/operator/watch', small],
    ]),
  ];
}
