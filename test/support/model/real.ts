import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { judgeStoredMails } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { type Judging, openJudging } from '../../../src/alerts/judging/open-judging.ts';
import { claimAlerts } from '../../../src/alerts/judging/queries/claims.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { day, second } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { addUpiAccount } from '../../../src/business/merchants/upi-accounts.ts';
import { openPublicStatus } from '../../../src/orders/page/open-public-status.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import type { Credit } from '../../../src/payments/matching/credit.ts';
import { openTestApi, type TestApi } from '../api.ts';
import { connectedMailbox } from '../busy-shop.ts';
import { mailKey } from '../signed-mail.ts';
import { addTestMerchant, type TestMerchant } from '../test-world.ts';
import { type DeathPoint, dyingConnection } from './dying-connection.ts';
import { keyName, modelBanks } from './letter.ts';
import { accountDigits, merchantCount, openAmounts, payableRange, smallLimit } from './merchants.ts';

export type Merchant = TestMerchant & {
  accountIds: string[];
  /** Its mailbox, an extra alert address, and one that it wished for and never confirmed. */
  address: string;
  extra: string;
  unconfirmed: string;
};

/** Matching took this alert, and its transaction was committed. */
type Met = { alertId: string; at: number };
type Death = { alertId: string; point: DeathPoint };

/** The service as it is: its API, its judges and matching, on a real database with a clock of ours. */
export type Real = {
  api: TestApi;
  publicStatus: ReturnType<typeof openPublicStatus>;
  merchants: Merchant[];
  /** Puts a mail into a business's mailbox; nothing is judged yet. */
  store(merchant: number, raw: Buffer): Promise<string>;
  /** The worker's round: judges what is due. Returns what matching took, in that order. */
  work(options?: { death?: Death; together?: boolean }): Promise<Met[]>;
  /** A judge who took so long that another did his work comes to his end after all. */
  comeLate(alertId: string): Promise<void>;
  /** A judge takes what is due and is never heard of again. */
  dieWithMailsInHand(): Promise<void>;
};

export type Installation = {
  /** Businesses of its own for each run, a day later, each with the digits of its two accounts. */
  begin(accounts?: readonly string[][]): Promise<Real>;
  stop(): Promise<void>;
};

const tables = [
  ...[
    'delivery_queue',
    'event_bodies',
    'events',
    'alerts',
    'counted_signatures',
    'counted_references',
    'takings',
  ],
  'claimed_references',
  ...['orders', 'amounts', 'collections'],
];

export async function openInstallation(): Promise<Installation> {
  const api = await openTestApi();
  const { world } = api;
  await world.sql`insert into plans (plan, monthly_limit_paise) values ('small', ${smallLimit})`;
  world.dns.texts.set(keyName('s1'), [mailKey().record]);
  world.dns.texts.set(keyName('s1', 'stranger'), [mailKey().record]);
  world.banks = openBankBook(modelBanks);
  const judging = openJudging(world);
  const publicStatus = openPublicStatus(world);
  return {
    async begin(accounts = Array.from({ length: merchantCount }, () => accountDigits)) {
      // The last run's changes and failures must not affect this one.
      await world.sql.unsafe(tables.map(table => `delete from ${table}`).join(';'));
      world.clock.advance(2 * day);
      const merchants = await Promise.all(accounts.map(digits => addMerchant(api, digits)));
      return { api, publicStatus, merchants, ...workOf(api, judging, merchants) };
    },
    async stop() {
      await judging.close();
      await api.stop();
    },
  };
}

async function addMerchant({ world }: TestApi, [first, other]: readonly string[]): Promise<Merchant> {
  const merchant = await addTestMerchant(world, {
    account: { bank: 'model', accountDigits: first! },
  });
  const second = await world.sql.begin(tx =>
    addUpiAccount(tx, world, merchant.merchantId, {
      vpa: 'second@okaxis',
      payeeName: 'Chai Point',
      kind: 'personal',
      bank: 'model',
      accountDigits: other!,
    }),
  );
  await connectedMailbox(world, merchant.merchantId);
  // Nobody holds all but a few amounts, so that orders meet the same ones again and again.
  await world.sql`
    insert into amounts (merchant_id, payable_paise, held_until, order_id)
    select ${merchant.merchantId}, n, 'infinity', 'nobody' from generate_series(${payableRange.first}::bigint, ${payableRange.last}::bigint) n
    where n <> all (${openAmounts}::bigint[])`;
  const [mailbox] = await world.sql<{ address: string }[]>`
    select address from mailboxes where merchant_id = ${merchant.merchantId}`;
  const address = mailbox!.address;
  const [extra, unconfirmed] = [`extra.${address}`, `wished.${address}`];
  const now = world.clock.now();
  await world.sql`
    insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
    values (${merchant.merchantId}, ${extra}, ${now}, ${now}), (${merchant.merchantId}, ${unconfirmed}, ${now}, null)`;
  return { ...merchant, address, extra, unconfirmed, accountIds: [merchant.accountId, second] };
}

function workOf(
  { world }: TestApi,
  judging: Judging,
  merchants: Merchant[],
): Pick<Real, 'store' | 'work' | 'comeLate' | 'dieWithMailsInHand'> {
  const credits = new Map<string, Credit>();
  return {
    async store(merchant, raw) {
      const { merchantId } = merchants[merchant]!;
      const arrivedAt = world.clock.now();
      const { alertId } = await world.sql.begin(tx =>
        storeMail(tx, { merchantId, raw, arrivedAt, foundIn: 'INBOX/1/1' }),
      );
      return alertId;
    },
    async work({ death, together = false } = {}) {
      const met: Met[] = [];
      let dead = false;
      const meet = async (credit: Credit) => {
        const dies = !dead && death?.alertId === credit.alertId;
        dead ||= dies;
        credits.set(credit.alertId, credit);
        const committed = () => met.push({ alertId: credit.alertId, at: world.clock.now().getTime() });
        if (dies && death.point === 'after commit') committed();
        const sql = dies ? dyingConnection(world.sql, death.point) : world.sql;
        const confirmation = await confirmPayment({ ...world, sql }, credit);
        committed();
        return confirmation;
      };
      let turn: Promise<unknown> = Promise.resolve();
      const inTurn = (credit: Credit) => {
        const mine = turn.then(() => meet(credit));
        turn = mine.catch(() => {});
        return mine;
      };
      await judgeStoredMails(world, { judge: judging.tools.judge, confirm: together ? meet : inTurn });
      return met;
    },
    async comeLate(alertId) {
      await confirmPayment(world, credits.get(alertId)!);
    },
    async dieWithMailsInHand() {
      await claimAlerts(world.sql, newLease(world.clock.now(), 8 * second), { most: 16, busy: [] });
    },
  };
}
