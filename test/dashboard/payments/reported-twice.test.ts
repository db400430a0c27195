import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { openJudging } from '../../../src/alerts/judging/open-judging.ts';
import { minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { testBank } from '../../support/alert-banks.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { doubtedShop, newKey } from '../../support/doubted-shop.ts';

const shop = doubtedShop();
let site: DashboardSite;
beforeEach(async () => {
  const { world } = shop.api;
  site ??= await openDashboard(world);
  world.banks = openBankBook(() => [idfc()]);
  await shop.judging.close();
  shop.judging = openJudging(world);
  shop.publish('s1', newKey);
});
after(() => site.stop());

/** IDFC's wordings, which print a minute and no reference, under the key of the tests' bank. */
function idfc(): Bank {
  const { senders, signingDomains } = testBank();
  const bank = loadBanks(null).find(({ id }) => id === 'idfc-first')!;
  return { ...bank, id: 'test', part: 'text', senders, signingDomains };
}

let mails = 0;
let copies = 0;
async function shown(rupees: number, printed: string, account = '4321', id = ++mails): Promise<string> {
  const body = `Dear Customer,\r\nYour A/C XXXXXXX${account} has been credited with INR ${rupees.toFixed(2)} on 15/11/2026 ${printed}. New balance is INR 5,000.00\r\n`;
  const change = {
    Subject: 'Transaction alert from IDFC FIRST Bank',
    'Message-ID': `<${id}@test.bank.in>`,
    'X-Unsigned': String(++copies),
  };
  const alertId = await shop.mail(rupees, { key: newKey, body, change });
  await shop.judge();
  return alertId;
}

async function pagesOf(alertId: string, orderId: string | null) {
  const { world } = shop.api;
  const owner = await callAs(site, world, await addTestUser(world, shop.merchant.merchantId, 'owner'));
  const list = (await owner.get('/dashboard/payments?view=decide')).body;
  const item = list.slice(list.indexOf(`href="/dashboard/money/${alertId}"`)).split('</li>')[0]!;
  const own = (await owner.get(`/dashboard/money/${alertId}`)).body;
  const order = orderId === null ? '' : (await owner.get(`/dashboard/orders/${orderId}`)).body;
  return { item, own, order };
}

const second = /Paid twice|second (payment|time)|once more/;

test('without a reference the same account, sum and printed minute are “reported twice?”, and never a second payment', async () => {
  const order = await shop.order();
  const first = await shown(order.payable_amount, '10:31');
  assert.equal((await shop.alert(first)).verdict, 'paid');
  shop.api.world.clock.advance(2 * minute);
  const again = await shown(order.payable_amount, '10:31');
  assert.equal((await shop.alert(again)).verdict, 'extra_payment');
  const { item, own, order: page } = await pagesOf(again, order.order_id);
  assert.match(item, /Reported twice\?/);
  assert.match(own, new RegExp(`the payment of <a href="/dashboard/orders/${order.order_id}">this order`));
  assert.match(own, /Reported twice\?<\/strong> It may be one payment/);
  assert.match(page, /or your bank reported it twice/);
  for (const shown of [item, own.split('<details class="fold">')[0]!, page])
    assert.doesNotMatch(shown, second);
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('the same sum in another printed minute is a second payment', async () => {
  const order = await shop.order();
  await shown(order.payable_amount, '10:31');
  shop.api.world.clock.advance(minute);
  const other = await shown(order.payable_amount, '10:32');
  const { item, own } = await pagesOf(other, order.order_id);
  assert.match(item, /Paid twice/);
  assert.doesNotMatch(item + own, /Reported twice\?/);
});

test('money without an order that was reported twice is asked about too; another sum is not', async () => {
  const one = await shown(77, '10:31');
  shop.api.world.clock.advance(minute);
  const two = await shown(77, '10:31');
  const other = await shown(78, '10:31');
  for (const alertId of [one, two]) {
    const { item, own } = await pagesOf(alertId, null);
    assert.match(item, /Reported twice\?/);
    assert.match(own, /one payment that your bank reported twice/);
  }
  assert.doesNotMatch((await pagesOf(other, null)).item, /Reported twice\?/);
});

test('a copy of one mail, which counts once by its signature, needs no person', async () => {
  const one = await shown(77, '10:31');
  const copy = await shown(77, '10:31', '4321', mails);
  assert.equal((await shop.alert(copy)).verdict, 'duplicate');
  const { item } = await pagesOf(one, null);
  assert.match(item, /No order for it/);
  assert.doesNotMatch(item, /Reported twice\?/);
});
