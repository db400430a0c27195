import { credentialPlace } from '../alerts/mailboxes/open-login.ts';
import type { World } from '../base/world.ts';
import { addUpiAccount } from '../business/merchants/add-upi-account.ts';
import {
  differences,
  isForSale,
  nameSeller,
  parsePlans,
  readPlans,
  selectPlans,
  storePlans,
} from '../business/merchants/plans.ts';
import { selectAccountPlaces } from '../business/merchants/queries.ts';
import { writeParty } from '../orders/sales/queries.ts';
import { updateHoldNearMisses } from '../payments/matching/queries/payments.ts';
import { openUser } from './open-demo-business.ts';
import { insertDemoMailbox } from './queries.ts';

/** Of whom the demo business buys its plans. */
export type DemoSeller = { merchantId: number; mailbox: string; account_digits: string };

const name = 'Milaan Plans';
const email = 'plans@milaan.example';
const mailbox = 'alerts@plans.example';

/** The first is what everybody begins with. One payment of the largest sum reaches its limit, and no day of trying out does. */
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
  payeeName: name,
  kind: 'merchant',
  merchantCode: '7372',
  bank: 'sandbox',
  accountDigits: '8765',
} as const;

/** Plans and their seller, unless the developer has plans of their own: null. */
export async function openDemoSeller(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'config'>,
  password: string,
): Promise<DemoSeller | null> {
  const { sql, clock, secrets } = world;
  const inForce = await selectPlans(sql);
  if (differences(inForce, readPlans(null)).length === 0)
    await storePlans(
      sql,
      parsePlans(JSON.stringify(plans), what => new Error(what)),
    );
  else if (!inForce.some(plan => plan.plan === 'gold' && isForSale(plan))) return null;
  const merchantId = await openUser(world, { email, name, plan: 'gold', password });
  if (!(await selectAccountPlaces(sql, merchantId)).some(({ vpa }) => vpa === sellerAccount.vpa)) {
    await sql.begin(async tx => {
      await addUpiAccount(tx, world, merchantId, sellerAccount);
      await writeParty(tx, merchantId, { address: '1 Sandbox Road, Bengaluru 560001', gstin: null });
      await updateHoldNearMisses(tx, merchantId, true);
      await nameSeller(tx, merchantId);
    });
  }
  const credential = secrets.seal(
    JSON.stringify({ kind: 'password', password: '' }),
    credentialPlace(merchantId),
  );
  await insertDemoMailbox(sql, { merchantId, address: mailbox, credential, now: clock.now() });
  return { merchantId, mailbox, account_digits: sellerAccount.accountDigits };
}
