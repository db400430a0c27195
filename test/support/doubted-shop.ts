import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { judgeStoredMails } from '../../src/alerts/judging/judge-stored-mails.ts';
import { type Judging, openJudging } from '../../src/alerts/judging/open-judging.ts';
import { storeMail } from '../../src/alerts/judging/store-mail.ts';
import { reasonColumn } from '../../src/alerts/queries.ts';
import { day, minute } from '../../src/base/clock.ts';
import { paiseFromRupees, rupeesText } from '../../src/base/money.ts';
import { sayReason } from '../../src/texts/say.ts';
import type { Reason } from '../../src/texts/verdicts.ts';
import { testBank } from './alert-banks.ts';
import { openTestApi, type TestApi } from './api.ts';
import { linesWith } from './genuine-alert.ts';
import { type MailKey, mailKey, signMail } from './signed-mail.ts';
import { addTestMerchant, type TestMerchant } from './test-world.ts';

export const [oldKey, newKey, wrongKey] = ['old', 'new', 'wrong'].map(which => mailKey(1024, which)) as [
  MailKey,
  MailKey,
  MailKey,
];

const signed = ['from', 'to', 'cc', 'subject', 'date', 'message-id', 'mime-version', 'content-type'];

type Written = { selector?: string; key: MailKey; change?: Record<string, string>; body?: string };

/** A business, its bank, and a DNS that may lie; a mail goes the whole way from its storing to its order. */
export type DoubtedShop = {
  api: TestApi;
  merchant: TestMerchant;
  judging: Judging;
  /** How often DNS was asked for a key. */
  asked: number;
  publish(selector: string, ...keys: MailKey[]): void;
  // biome-ignore lint/suspicious/noExplicitAny: the answer's JSON, as the tests read it
  order(): Promise<any>;
  statusOf(orderId: string): Promise<string>;
  /** The bank's mail about this many rupees, of now; answers the alert's id. */
  mail(rupees: number, written: Written): Promise<string>;
  judge(): Promise<number>;
  alert(alertId: string): Promise<{ verdict: string; reason: string; next_try_at: Date | null }>;
};

export function doubtedShop(): DoubtedShop {
  let written = 0;
  const shop = {
    asked: 0,
    publish(selector, ...keys) {
      const records = keys.map(key => key.record);
      shop.api.world.dns.texts.set(`${selector}._domainkey.test.bank.in`, records);
    },
    async order() {
      return (await shop.api.create({}, shop.merchant.apiKey)).json();
    },
    async statusOf(orderId) {
      return (await shop.api.get(`/orders/${orderId}`, shop.merchant.apiKey)).json().status;
    },
    async mail(rupees, { selector = 's1', key, change = {}, body }) {
      const { sql, clock } = shop.api.world;
      const now = clock.now();
      const reference = String(700_000_000_000 + ++written);
      // No two mails of a bank have one signature, and orders of two tests may have one amount.
      const own = {
        Date: now.toUTCString().replace('GMT', '+0000'),
        'Message-ID': `<${reference}@test.bank.in>`,
      };
      const lines = linesWith({ ...own, ...change });
      const text = `Dear Customer, Rs.${rupeesText(paiseFromRupees(rupees))} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}. Thank you.\r\n`;
      const raw = signMail(lines, body ?? text, { domain: 'test.bank.in', selector, key, names: signed });
      const { merchantId } = shop.merchant;
      const stored = await sql.begin(tx =>
        storeMail(tx, { merchantId, raw, arrivedAt: now, foundIn: 'INBOX/1/1' }),
      );
      return stored.alertId;
    },
    judge: () => judgeStoredMails(shop.api.world, shop.judging.tools),
    async alert(alertId) {
      const rows = await shop.api.world.sql<{ verdict: string; reason: Reason; next_try_at: Date | null }[]>`
        select verdict, ${reasonColumn(shop.api.world.sql)}, next_try_at from alerts where alert_id = ${alertId}`;
      return { ...rows[0]!, reason: rows[0]!.reason ? sayReason('en', rows[0]!.reason) : '' };
    },
  } as DoubtedShop;
  before(async () => {
    shop.api = await openTestApi();
    const { dns } = shop.api.world;
    const { lookupText } = dns;
    dns.lookupText = async name => {
      shop.asked++;
      return await lookupText(name);
    };
  });
  after(async () => {
    await shop.judging.close();
    await shop.api.stop();
  });
  beforeEach(async () => {
    const { world } = shop.api;
    await shop.judging?.close();
    await world.sql`delete from dkim_keys`;
    await world.sql`update alerts set next_try_at = null`;
    world.dns.texts.clear();
    world.banks = openBankBook(() => [testBank()]);
    shop.judging = openJudging(world);
    shop.merchant = await addTestMerchant(world, { account: { bank: 'test' } });
    await world.sql`
      update extra_alert_addresses set address = 'gone' || merchant_id || '@shop.in'`;
    await world.sql`
      insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
      values (${shop.merchant.merchantId}, 'merchant@shop.in', ${world.clock.now()}, ${world.clock.now()})`;
  });
  return shop;
}

/** A payment whose mail ended as forged: the key was wrong in DNS for longer than anybody looks. */
export async function lostPayment(shop: DoubtedShop) {
  const { clock } = shop.api.world;
  shop.publish('s1', wrongKey);
  const order = await shop.order();
  const alertId = await shop.mail(order.payable_amount, { key: newKey });
  await shop.judge();
  clock.advance(day);
  await shop.judge();
  assert.equal((await shop.alert(alertId)).verdict, 'forged');
  clock.advance(minute);
  return { order, alertId };
}
