import type { Page } from 'playwright-core';
import { bankNames } from '../../src/alerts/banks/bank-support.ts';
import { paise } from '../../src/base/money.ts';
import { version } from '../../src/base/version.ts';
import { createProofOrder } from '../../src/dashboard/first-steps/create-proof-order.ts';
import { saveProcess } from '../../src/operator/queries.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { proofPrefix } from '../../src/payments/matching/queries/trials.ts';
import { connectedMailbox } from './busy-shop.ts';
import { addTestOrder } from './checkout-site.ts';
import { agree, askToConnect, exchange } from './connecting-shop.ts';
import { storedCredit } from './credit.ts';
import { callAs, type DashboardSite, type TestUser } from './dashboard-site.ts';
import { linesWith } from './genuine-alert.ts';
import type { MoneyShop } from './money-shop.ts';
import { mailKey, signMail } from './signed-mail.ts';
import { addTestMerchant, type TestWorld } from './test-world.ts';

/** The other shops on the screens of every-screen.ts, in addition to a busy one. */

export async function addEmptyShop(world: TestWorld): Promise<number> {
  const { merchantId } = await addTestMerchant(world, { name: 'Dosa Darbar' });
  await world.sql`delete from api_keys where merchant_id = ${merchantId}`;
  await world.sql`delete from upi_accounts where merchant_id = ${merchantId}`;
  return merchantId;
}

/** A shop that is about to pay itself one rupee as a proof. */
export async function addProvingShop(world: TestWorld, name: string): Promise<number> {
  const { merchantId } = await addTestMerchant(world, { name });
  await connectedMailbox(world, merchantId, name);
  await world.sql.begin(tx => createProofOrder(tx, world, merchantId));
  return merchantId;
}

/** The alert of the proof names another bank than the recorded one. */
export async function payFromElsewhere(world: TestWorld, merchantId: number): Promise<void> {
  const [order] = await world.sql<{ payable_paise: number }[]>`
    select payable_paise from orders where merchant_id = ${merchantId}`;
  const amount = paise(order!.payable_paise);
  const credit = await storedCredit(world, merchantId, { amount, bank: 'kotak', accountDigits: '7140' });
  await world.sql`
    update alerts set signing_domain = 'kotak.bank.in', selector = 's1', recipient = 'alerts@idliinn.in'
    where alert_id = ${credit.alertId}`;
  await confirmPayment(world, credit, bankNames(world));
}

/** A shop whose exact payment waits until somebody has found it in the account. */
export async function addTrialShop(world: TestWorld) {
  const shop = await addTestMerchant(world, { name: 'Pakora Point' });
  const order = { payable: 1_37, merchantOrderId: `${proofPrefix}1` };
  const { orderId } = await addTestOrder(world, shop, order);
  const credit = await storedCredit(world, shop.merchantId, {
    amount: paise(order.payable),
    payer: 'ravi@okbank',
    trust: 'trial',
    recipient: 'alerts@shop.example',
  });
  await confirmPayment(world, credit);
  return { ...shop, orderId, alertId: credit.alertId };
}

/** Money that somebody has given back. */
export async function endOne(
  world: TestWorld,
  site: DashboardSite,
  { late }: MoneyShop,
  decider: TestUser,
): Promise<void> {
  const caller = await callAs(site, world, decider);
  await caller.post(`/dashboard/money/${late.alertId}/given-back`, {
    return_reference: '692009876543',
    note: 'As agreed by phone',
  });
}

/** Three processes, one of which died. */
export async function addProcesses(world: TestWorld): Promise<void> {
  const fine = { version, skew_seconds: 0.1, jump_seconds: 0, lag_seconds: 0.021, overdue_seconds: 0 };
  for (const process of ['pay1:8080 web', 'pay1:8081 mail', 'pay2:8082 deliver'])
    await saveProcess(world.sql, { ...fine, process });
  await world.sql`
    update processes set told_at = told_at - interval '4 minutes' where process = 'pay1:8081 mail'`;
}

/** Some actions, so that notices, sessions and the audit log have something to show. Answers a second account. */
export async function leaveTraces(
  world: TestWorld,
  site: DashboardSite,
  owner: TestUser,
  accountId: string,
): Promise<string> {
  const caller = await callAs(site, world, owner);
  await caller.post('/dashboard/integrations/keys', { name: 'Shop server' });
  const asked = askToConnect();
  const { to } = await agree(caller, asked, accountId);
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
  await world.sql`delete from sessions where user_id = ${owner.userId}`;
  const [stall] = await world.sql<{ account_id: string }[]>`
    select account_id from upi_accounts where vpa like 'chaipoint.stall2%'`;
  return stall!.account_id;
}

/** A mail that its owner tries before any mailbox is connected. */
export async function uploadMail(world: TestWorld, page: Page): Promise<void> {
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
  await page.click('#try-mail > summary');
  await page.setInputFiles('#mail', { name: 'alert.eml', mimeType: 'message/rfc822', buffer });
  await Promise.all([page.waitForURL('**/mail#try-mail'), page.click('#try-mail form button')]);
  await page.locator('#try-mail .checks').waitFor();
}
