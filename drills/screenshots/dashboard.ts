import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { bankNames } from '../../src/alerts/banks/bank-names.ts';
import { hour, later } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import { version } from '../../src/base/version.ts';
import { beginTotp } from '../../src/business/accounts/set-up-totp.ts';
import { createProofOrder } from '../../src/dashboard/first-steps/create-proof-order.ts';
import { connectRoutes } from '../../src/developers/connect/routes.ts';
import { beginMove } from '../../src/operator/moving/hold-still.ts';
import { addCounts, saveProcess } from '../../src/operator/queries.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { desktop, openBrowser, phone } from '../../test/support/browser.ts';
import { addBusyShop, connectedMailbox } from '../../test/support/busy-shop.ts';
import { agree, askToConnect, exchange } from '../../test/support/connecting-shop.ts';
import { storedCredit } from '../../test/support/credit.ts';
import { addTestUser, callAs, openDashboard, type TestUser } from '../../test/support/dashboard-site.ts';
import { linesWith } from '../../test/support/genuine-alert.ts';
import { addMoneyShop } from '../../test/support/money-shop.ts';
import { mailKey, signMail } from '../../test/support/signed-mail.ts';
import { smallPng } from '../../test/support/small-png.ts';
import { addTestMerchant, openTestWorld } from '../../test/support/test-world.ts';

/**
 * Writes the pictures of every screen: `npm run drill -- screenshots [FOLDER [NAMES]]`. Each is named
 * `dashboard-SCREEN-phone|desktop-light|dark.png`, with `-hindi` before the size where it speaks Hindi.
 */
const target = process.argv[2] ?? join(tmpdir(), 'milaan-screenshots');
const only = process.argv[3]?.split(',');
mkdirSync(target, { recursive: true });

const world = await openTestWorld({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@milaan.example' });
Object.assign(world.config, { signups: 'open' });
const site = await openDashboard(world, app => connectRoutes(app, world));
const browser = await openBrowser();
const shop = await addBusyShop(world);
const people = {
  owner: await addTestUser(world, shop.merchantId, 'owner'),
  support: await addTestUser(world, shop.merchantId, 'support'),
  operator: await addTestUser(world, 0, 'operator'),
};
const empty = await addTestMerchant(world, { name: 'Dosa Darbar' });
await world.sql`delete from api_keys where merchant_id = ${empty.merchantId}`;
await world.sql`delete from upi_accounts where merchant_id = ${empty.merchantId}`;
const newcomer = await addTestUser(world, empty.merchantId, 'owner');
const beginner = await addTestMerchant(world, { name: 'Chai Corner' });
await connectedMailbox(world, beginner.merchantId, 'Chai Corner');
world.dns.addresses.set('localhost', ['127.0.0.1']);
await createProofOrder(world, beginner.merchantId, '');
const prover = await addTestUser(world, beginner.merchantId, 'owner');
const mistaken = await addTestMerchant(world, { name: 'Idli Inn' });
await connectedMailbox(world, mistaken.merchantId, 'Idli Inn');
await createProofOrder(world, mistaken.merchantId, '');
await payFromElsewhere(mistaken.merchantId);
const corrector = await addTestUser(world, mistaken.merchantId, 'owner');
const money = await addMoneyShop(world, 'Biryani Bhavan');
const decider = await addTestUser(world, money.merchantId, 'owner');
const left = await addTestMerchant(world, { name: 'Paratha Place' });
await world.sql.begin(tx => beginMove(tx, left.merchantId, 'leaving', world.clock.now()));
const leaver = await addTestUser(world, left.merchantId, 'owner');
await endSome();
await beginTotp(world, people.owner);
const second = await leaveTraces();
await tellOfProcesses();

type Who = TestUser | null;
type Screen = [name: string, path: string, who: Who];

const { owner, operator } = people;
const screens: Screen[] = [
  ['sign-in', '/dashboard/sign-in', null],
  ['sign-up', '/dashboard/sign-up', null],
  ['sign-up-privacy', '/dashboard/sign-up/privacy', null],
  ['recover', '/dashboard/recover', null],
  ['home', '/dashboard', owner],
  ['first-steps', '/dashboard/first-steps?bank=hdfc', prover],
  ['orders', '/dashboard/orders', owner],
  ['register', '/dashboard/orders/register?period=2026', owner],
  ['order', `/dashboard/orders/${shop.paid.orderId}`, owner],
  ['money', '/dashboard/money', decider],
  ['money-payment', `/dashboard/money/${money.slipped.alertId}`, decider],
  ['money-decide', `/dashboard/money/${money.slipped.alertId}/orders/${money.slipped.orderId}`, decider],
  ['money-handled', '/dashboard/money/handled', decider],
  ['money-refused', '/dashboard/money/refused', owner],
  ['order-in-review', `/dashboard/orders/${money.waiting.orderId}`, decider],
  ['upi-accounts', '/dashboard/upi-accounts', owner],
  ['mailbox', '/dashboard/mailbox', owner],
  ['integrations', '/dashboard/integrations', owner],
  ['connect', `/dashboard/connect?${new URLSearchParams(askToConnect().parameters)}`, owner],
  ['webhooks', '/dashboard/webhooks', owner],
  ['notices', '/dashboard/notices', owner],
  ['chats', '/dashboard/notices/chats', owner],
  ['plan', '/dashboard/plan', owner],
  ['team', '/dashboard/team', owner],
  ['settings', '/dashboard/settings', owner],
  ['kept', '/dashboard/settings/kept', owner],
  ['delete-business', '/dashboard/settings/delete', owner],
  ['leave', '/dashboard/settings/leave', owner],
  ['left', '/dashboard/settings/leave', leaver],
  ['audit', '/dashboard/audit', owner],
  ['account', '/dashboard/account', owner],
  ['operator', '/dashboard/operator', operator],
  ['operator-business', `/dashboard/operator/businesses/${shop.merchantId}`, operator],
  ['operator-health', '/dashboard/operator/health', operator],
  ['operator-banks', '/dashboard/operator/banks', operator],
  ['workshop', '/dashboard/operator/workshop', operator],
];
/** Steps on the way and empty states: one look at each size is enough. */
const small: Screen[] = [
  ['confirm', '/dashboard/confirm?next=/dashboard/upi-accounts', owner],
  ['two-step', '/dashboard/account/two-step', owner],
  ['passkey', '/dashboard/account/passkeys', owner],
  ['invite', '/dashboard/team/invite', owner],
  ['member', `/dashboard/team/members/${people.support.userId}`, owner],
  ['remove-account', `/dashboard/upi-accounts/${second}/remove`, owner],
  ['change-bank', `/dashboard/upi-accounts/${second}/bank`, owner],
  ['first-steps-correct', '/dashboard/first-steps', corrector],
  ['first-steps-few-digits', '/dashboard/first-steps?bank=equitas', prover],
  ['first-steps-cannot', '/dashboard/first-steps?bank=icici', newcomer],
  ['first-steps-mail', '/dashboard/first-steps?bank=hdfc', newcomer],
  ['disconnect-mailbox', '/dashboard/mailbox/disconnect', owner],
  ['home-empty', '/dashboard?skip=1', newcomer],
  ['first-steps-empty', '/dashboard/first-steps', newcomer],
  ['orders-empty', '/dashboard/orders', newcomer],
  ['money-empty', '/dashboard/money', newcomer],
  ['webhooks-empty', '/dashboard/webhooks', newcomer],
  ['not-found', '/dashboard/nothing', owner],
];
const inHindi = [
  'home',
  'operator-health',
  'connect',
  'first-steps',
  'money',
  'register',
  'kept',
  'mailbox',
  'notices',
  'chats',
  'sign-in',
  'leave',
  'left',
];

type Look = { size: 'phone' | 'desktop'; scheme: 'light' | 'dark'; language: 'en' | 'hi' };
const english = { language: 'en' } as const;
const allLooks: Look[] = [
  { size: 'phone', scheme: 'light', ...english },
  { size: 'phone', scheme: 'dark', ...english },
  { size: 'desktop', scheme: 'light', ...english },
  { size: 'desktop', scheme: 'dark', ...english },
];

/** Pixels; enough to see what the page is about. */
const tallest: Record<string, number> = {
  'operator-health': 3400,
  'first-steps': 2900,
  'first-steps-correct': 3200,
  'first-steps-few-digits': 2900,
  'first-steps-cannot': 2900,
  'first-steps-mail': 3400,
};
const usual = { phone: 1600, desktop: 1100 };

try {
  for (const screen of screens) for (const look of allLooks) await take(screen, look);
  for (const screen of small) for (const look of [allLooks[0]!, allLooks[3]!]) await take(screen, look);
  for (const screen of screens.filter(([name]) => inHindi.includes(name)))
    await take(screen, { size: 'phone', scheme: 'light', language: 'hi' });
} finally {
  await browser.stop();
  await site.stop();
  await world.stop();
}

/** The alert of the proof tells of another bank than the recorded one. */
async function payFromElsewhere(merchantId: number): Promise<void> {
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where merchant_id = ${merchantId}`;
  const amount = paise(order!.payable_paise);
  const credit = await storedCredit(world, merchantId, { amount, bank: 'kotak', accountDigits: '7140' });
  await world.sql`
    update alerts set signing_domain = 'kotak.bank.in', selector = 's1', recipient = 'alerts@idliinn.in'
    where alert_id = ${credit.alertId}`;
  await confirmPayment(world, credit, bankNames(world));
}

async function take([name, path, who]: Screen, { size, scheme, language }: Look): Promise<void> {
  if (only && !only.includes(name)) return;
  const options: BrowserContextOptions = {
    ...(size === 'phone' ? { ...phone, deviceScaleFactor: 1 } : desktop),
    colorScheme: scheme,
    locale: `${language}-IN`,
    timezoneId: 'Asia/Kolkata',
  };
  const { page, close } = await browser.open(options);
  if (who) {
    const { token } = await callAs(site, world, who);
    await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  }
  await page.goto(site.origin + path);
  if (name === 'first-steps-mail') await uploadMail(page);
  // The picture is of the screen, and not of one person's list of old sessions.
  const wanted = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const height = Math.max(Math.min(wanted, tallest[name] ?? usual[size]), 640);
  await page.setViewportSize({ width: size === 'phone' ? 360 : 1280, height });
  const spoken = language === 'hi' ? '-hindi' : '';
  const file = join(target, `dashboard-${name}${spoken}-${size}-${scheme}.png`);
  writeFileSync(file, smallPng(await page.screenshot()));
  await close();
}

/** A mail that its owner tries before any mailbox is connected. */
async function uploadMail(page: Page): Promise<void> {
  const at = world.clock.now();
  const domain = 'hdfcbank.bank.in';
  world.dns.texts.set(`s1._domainkey.${domain}`, [mailKey().record]);
  const lines = linesWith({
    From: `HDFC Bank InstaAlerts <alerts@${domain}>`,
    To: 'alerts@dosadarbar.in',
    Subject: 'View: Account update for your HDFC Bank A/c',
    Date: at.toUTCString(),
  });
  const body =
    'Dear Customer, Rs. 500.37 is successfully credited to your account **4321 by VPA ravi@okaxis RAVI KUMAR on 15-11-26. Your UPI transaction reference number is 692012345678.\r\n';
  const buffer = signMail(lines, body, { domain, tags: [`t=${Math.floor(at.getTime() / 1000)}`] });
  await page.setInputFiles('#mail', { name: 'alert.eml', mimeType: 'message/rfc822', buffer });
  await Promise.all([page.waitForURL('**/mail#try-mail'), page.click('#try-mail form button')]);
  await page.locator('#try-mail .checks').waitFor();
}

/** Money that somebody has brought to its end. */
async function endSome(): Promise<void> {
  const caller = await callAs(site, world, decider);
  await caller.post(`/dashboard/money/${money.late.alertId}/given-back`, {
    return_reference: '692009876543',
    note: 'As agreed by phone',
  });
}

/** Three processes, one of which died, after an hour without DNS. */
async function tellOfProcesses(): Promise<void> {
  const fine = { version, skew_seconds: 0.1, jump_seconds: 0, lag_seconds: 0.021, overdue_seconds: 0 };
  for (const process of ['pay1:8080 web', 'pay1:8081 mail', 'pay2:8082 deliver'])
    await saveProcess(world.sql, { ...fine, process });
  await world.sql`
    update processes set told_at = told_at - interval '4 minutes' where process = 'pay1:8081 mail'`;
  const failures = [3, 41, 93, 12];
  for (const [hours, count] of failures.entries())
    await addCounts(world.sql, later(world.clock.now(), -(hours + 3) * hour), [
      { figure: 'dns_failures', count },
    ]);
}

/** A few deeds, so that notices, sessions and the audit log have something to show. */
async function leaveTraces(): Promise<string> {
  const caller = await callAs(site, world, people.owner);
  await caller.post('/dashboard/integrations/keys', { name: 'Shop server' });
  const asked = askToConnect();
  const { to } = await agree(caller, asked, shop.accountId);
  const code = to?.searchParams.get('code');
  await exchange(site, { code, code_verifier: asked.verifier, return_url: asked.parameters['return_url'] });
  await caller.post('/dashboard/upi-accounts', {
    vpa: 'chaipoint.stall2@okhdfcbank',
    payee_name: 'Chai Point Stall 2',
    kind: 'personal',
    bank: 'hdfc',
    account_digits: '7788',
  });
  await caller.post('/dashboard/team/invite', { email: 'asha@chaipoint.in', role: 'developer' });
  await world.sql`delete from sessions where user_id = ${people.owner.userId}`;
  const [stall] = await world.sql<{ account_id: string }[]>`
    select account_id from upi_accounts where vpa like 'chaipoint.stall2%'`;
  return stall!.account_id;
}
