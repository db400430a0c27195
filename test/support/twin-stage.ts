import assert from 'node:assert/strict';
import { after, afterEach, beforeEach } from 'node:test';
import type { Bank } from '../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../src/alerts/banks/load-banks.ts';
import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { openJudging } from '../../src/alerts/judging/open-judging.ts';
import { hour } from '../../src/base/clock.ts';
import { testBank } from './alert-banks.ts';
import { addTestUser, type Caller, callAs, type DashboardSite, openDashboard } from './dashboard-site.ts';
import { type DoubtedShop, doubtedShop, newKey } from './doubted-shop.ts';

/** A payer's name that nobody can tell from a sum, which holds the mail. */
const oddName = 'RS 5 TRADERS';
const footer = 'Call 18002026161 or 918002026161 for help.';

/** A shop whose bank sends each alert to two addresses, and prints the reference behind the payer's name. */
export function twinShop() {
  const shop: DoubtedShop = doubtedShop();
  let site: DashboardSite;
  beforeEach(async () => {
    const { world } = shop.api;
    site ??= await openDashboard(world);
    await useBank('hdfc');
    shop.publish('s1', newKey);
    await listSecond();
    // An earlier mail shows what this bank prints in every mail.
    await reported(1.01, '690000009999', { name: 'RAVI KUMAR' });
    world.clock.advance(2 * hour);
  });
  afterEach(() => shop.api.world.sql`delete from extra_alert_addresses where address = 'second@shop.in'`);
  after(() => site.stop());

  async function useBank(id: string) {
    const { world } = shop.api;
    world.banks = openBankBook(() => [testBankLike(id)]);
    await shop.judging.close();
    shop.judging = openJudging(world);
  }

  async function listSecond(merchantId = shop.merchant.merchantId) {
    const { sql, clock } = shop.api.world;
    await sql`
      insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
      values (${merchantId}, 'second@shop.in', ${clock.now()}, ${clock.now()})
      on conflict do nothing`;
  }

  /** The bank's mail about one credit, to one of the two addresses. */
  async function reported(
    rupees: number,
    reference: string,
    { name = oddName, to = 'merchant@shop.in', note = '' } = {},
  ): Promise<string> {
    const body = `Dear Customer,\r\nRs. ${rupees.toFixed(2)} is successfully credited to your account **4321 by VPA ravi@okbank ${name} on 15-11-26. Your UPI transaction reference number is ${reference}.\r\n${note}${footer}\r\n`;
    const change = { Subject: 'View: Account update for your HDFC Bank A/c', To: to };
    const alertId = await shop.mail(rupees, { key: newKey, body, change });
    await shop.judge();
    return alertId;
  }

  async function owner(merchantId = shop.merchant.merchantId): Promise<Caller> {
    const { world } = shop.api;
    return await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  }

  /** An owner's steps: opens the held mail, chooses its sum and an order, and ticks the required boxes. */
  async function accept(caller: Caller, alertId: string, orderId: string, { ticks = false } = {}) {
    const path = `/dashboard/money/held/${alertId}`;
    const { body } = await caller.get(path);
    const field = (pattern: RegExp) => pattern.exec(body)?.[1] ?? '';
    const seen = field(/name="seen" value="([^"]*)"/);
    const fields = {
      seal: field(/name="seal" value="([0-9a-f]{64})"/),
      amount: field(/name="amount"[^>]* value="(\d+)"/) || field(/value="(\d+)"[^>]*name="amount"/),
      order: orderId,
      ...(ticks ? { seen } : {}),
    };
    assert.notEqual(fields.amount, '', 'the mail is not offered');
    const { headers } = await caller.post(`${path}/accept`, fields);
    return { body, seen, location: String(headers.location) };
  }

  return { shop, reported, owner, accept, listSecond, useBank };
}

/** A bank's wordings under the key of the tests' bank. */
function testBankLike(id: string): Bank {
  const { senders, signingDomains } = testBank();
  const bank = loadBanks(null).find(one => one.id === id)!;
  return { ...bank, id: 'test', part: 'text', senders, signingDomains };
}
