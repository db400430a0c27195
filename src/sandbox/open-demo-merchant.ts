import { openForwarding } from '../alerts/forwarding/open-forwarding.ts';
import { credentialPlace } from '../alerts/mailboxes/open-login.ts';
import { readMailbox } from '../alerts/mailboxes/queries/settings.ts';
import { randomBase62 } from '../base/random.ts';
import type { World } from '../base/world.ts';
import { addUser } from '../business/accounts/add-user.ts';
import { hashPassword, passwordMatches } from '../business/accounts/password.ts';
import { selectUserByEmail, writePassword } from '../business/accounts/queries/users.ts';
import { readApiKey } from '../business/merchants/api-key.ts';
import { createApiKey } from '../business/merchants/create-api-key.ts';
import { createMerchant } from '../business/merchants/create-merchant.ts';
import {
  differences,
  isForSale,
  nameSeller,
  parsePlans,
  readPlans,
  selectPlans,
  storePlans,
} from '../business/merchants/plans.ts';
import { type NewUpiAccount, selectAccountPlaces, selectCaller } from '../business/merchants/queries.ts';
import { addUpiAccount } from '../business/merchants/upi-accounts.ts';
import { writeParty } from '../orders/sales/queries.ts';
import { revealWebhookSecret } from '../outbox/webhooks/reveal-webhook-secret.ts';
import { updateHoldNearMisses } from '../payments/matching/queries/payments.ts';
import { insertDemoMailbox, readDefaultAccount, recordDemoPoll } from './queries.ts';
import type { SandboxFile } from './sandbox-file.ts';

export type DemoMerchant = Omit<SandboxFile, 'base_url' | 'shop_url' | 'smtp_url'> & { merchantId: number };

/** The shop in examples/shop belongs to this business. */
const shopName = 'Kettle & Leaf';
const email = 'demo@milaan.example';
const mailbox = 'alerts@kettle-and-leaf.example';
/** The simulated bank, in `bank.json`. */
const bank = 'sandbox';
const accountDigits = '4321';
const passwordLength = 16;

/** One UPI ID of each kind, so that both payment pages can be seen. Both belong to one bank account. */
export const demoAccounts: readonly NewUpiAccount[] = [
  {
    vpa: 'kettle.leaf@sandbox',
    payeeName: shopName,
    kind: 'merchant',
    merchantCode: '5499',
    bank,
    accountDigits,
  },
  { vpa: 'meera.rao@sandbox', payeeName: 'MEERA RAO', kind: 'personal', bank, accountDigits },
];

/** The default account's bank and digits, as in `sandbox.json`. */
export const firstAccount = { bank, account_digits: accountDigits };

type DemoWorld = Pick<World, 'sql' | 'clock' | 'secrets' | 'config'>;

/** Each step checks whether it is done, so an interrupted start continues. All of `sandbox.json` works afterwards. */
export async function openDemoMerchant(world: DemoWorld, before: Partial<SandboxFile>) {
  const password = before.password || randomBase62(passwordLength);
  const merchantId = await openUser(world, { email, name: shopName, password });
  const forwardTo = await restoreDemoSettings(world, merchantId);
  const main = await readDefaultAccount(world.sql, merchantId);
  const revealed = await revealWebhookSecret(world.sql, world, merchantId);
  if (!revealed) throw new Error('the demo business has no webhook secret');
  return {
    merchantId,
    api_key: await openKey(world, merchantId, before.api_key),
    webhook_secret: revealed.secret,
    email,
    password,
    mailbox: (await readMailbox(world.sql, merchantId))?.address ?? mailbox,
    bank: main?.bank ?? firstAccount.bank,
    account_digits: main?.account_digits ?? firstAccount.account_digits,
    forward_to: forwardTo,
  };
}

async function openUser(
  world: DemoWorld,
  { email, name, password, plan }: { email: string; name: string; password: string; plan?: string },
): Promise<number> {
  const user = await selectUserByEmail(world.sql, email);
  if (!user) {
    const merchantId = await createMerchant(world.sql, world, { name, ...(plan !== undefined && { plan }) });
    await addUser(world.sql, world, merchantId, { email, password, role: 'owner' });
    return merchantId;
  }
  if (!(await passwordMatches(password, user.password_hash))) {
    const who = { merchantId: user.merchant_id, userId: user.user_id };
    await writePassword(world.sql, who, await hashPassword(password));
  }
  return user.merchant_id;
}

/** The clear key exists only here and in `sandbox.json`. If that file is lost, a new key is made. */
async function openKey(world: DemoWorld, merchantId: number, kept: string | undefined): Promise<string> {
  const presented = kept === undefined ? null : readApiKey(kept);
  const isOurs =
    presented?.merchantId === merchantId && (await selectCaller(world.sql, presented)).length === 1;
  if (kept && isOurs) return kept;
  return (await createApiKey(world.sql, world, merchantId, 'Sandbox')).apiKey;
}

/** Restores missing accounts, the mailbox and the forwarding address, and returns that address. */
export async function restoreDemoSettings(world: DemoWorld, merchantId: number): Promise<string> {
  const { sql, clock } = world;
  const known = await selectAccountPlaces(sql, merchantId);
  for (const account of demoAccounts) {
    if (!known.some(({ vpa }) => vpa === account.vpa))
      await sql.begin(tx => addUpiAccount(tx, world, merchantId, account));
  }
  // Accounts of an older version have no bank.
  await sql`update upi_accounts set bank = ${bank} where merchant_id = ${merchantId} and bank is null`;
  await openDemoMailbox(world, merchantId, mailbox);
  await recordDemoPoll(sql, clock.now());
  const mailDomain = world.config.mailDomain ?? '';
  const forwardTo = await sql.begin(tx => openForwarding(tx, { merchantId, mailDomain, now: clock.now() }));
  return forwardTo ?? '';
}

async function openDemoMailbox({ sql, clock, secrets }: DemoWorld, merchantId: number, address: string) {
  const login = JSON.stringify({ kind: 'password', password: '' });
  const credential = secrets.seal(login, credentialPlace(merchantId));
  await insertDemoMailbox(sql, { merchantId, address, credential, now: clock.now() });
}

export type DemoSeller = { merchantId: number; mailbox: string; account_digits: string };

const seller = { name: 'Milaan Plans', email: 'plans@milaan.example', mailbox: 'alerts@plans.example' };

/** Everybody starts with the first plan. One payment of the largest sum reaches its limit; a day of tests does not. */
const plans = {
  standard: { title: { en: 'Free', hi: 'मुफ़्त' }, monthly_limit_paise: 1_000_000_00 },
  silver: {
    title: { en: 'Silver', hi: 'सिल्वर' },
    monthly_limit_paise: 5_000_000_00,
    price_paise: 499_00,
    period_days: 30,
  },
  gold: { title: { en: 'Gold', hi: 'गोल्ड' }, price_paise: 999_00, period_days: 30 },
};

export const sellerAccount = {
  vpa: 'milaan.plans@sandbox',
  payeeName: seller.name,
  kind: 'merchant',
  merchantCode: '7372',
  bank: 'sandbox',
  accountDigits: '8765',
} as const;

/** Opens the plans and their seller; null if the developer has their own plans. */
export async function openDemoSeller(world: DemoWorld, password: string): Promise<DemoSeller | null> {
  const { sql } = world;
  const inForce = await selectPlans(sql);
  if (differences(inForce, readPlans(null)).length === 0)
    await storePlans(
      sql,
      parsePlans(JSON.stringify(plans), what => new Error(what)),
    );
  else if (!inForce.some(plan => plan.plan === 'gold' && isForSale(plan))) return null;
  const merchantId = await openUser(world, {
    email: seller.email,
    name: seller.name,
    plan: 'gold',
    password,
  });
  if (!(await selectAccountPlaces(sql, merchantId)).some(({ vpa }) => vpa === sellerAccount.vpa)) {
    await sql.begin(async tx => {
      await addUpiAccount(tx, world, merchantId, sellerAccount);
      await writeParty(tx, merchantId, { address: '1 Sandbox Road, Bengaluru 560001', gstin: null });
      await updateHoldNearMisses(tx, merchantId, true);
      await nameSeller(tx, merchantId);
    });
  }
  await openDemoMailbox(world, merchantId, seller.mailbox);
  return { merchantId, mailbox: seller.mailbox, account_digits: sellerAccount.accountDigits };
}
