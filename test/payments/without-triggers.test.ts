import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { payableOf } from '../support/credit.ts';
import { reviewShop } from '../support/review-shop.ts';
import { waitFor } from '../support/wait-for.ts';

/** The next release drops these; 0.2.0 still makes them. */
const triggers = {
  tell_order_news: 'orders',
  archive_again: 'orders',
  count_paid_piece: 'orders',
  unconfirmable_without_forwarding: 'unconfirmable',
};

const shop = reviewShop();
const sql = () => shop.api.world.sql;
const ofMerchant = () => shop.merchant.merchantId;

let listener: pg.Client;
const heard: string[] = [];

async function pay(change: Record<string, unknown> = {}): Promise<string> {
  const order = await shop.order(change);
  const given = await shop.credit({ amount: payableOf(order) });
  assert.equal((await shop.confirm(given)).outcome, 'paid');
  return order.order_id;
}

/** How often pages were notified about an order; asked behind a notification of our own, which comes after all of them. */
async function newsOf(orderId: string): Promise<number> {
  const [row] = await sql()`select pay_token from orders where order_id = ${orderId}`;
  const end = `end of ${orderId} ${heard.length}`;
  await sql()`select pg_notify('milaan_orders', ${end})`;
  await waitFor('all notifications', () => heard.includes(end));
  return heard.filter(payload => payload === row!['pay_token']).length;
}

/** Marks the order as archived, in an archive that has since gone on. */
async function archive(orderId: string): Promise<void> {
  await sql()`update orders set archived_at = now() where order_id = ${orderId}`;
  await sql()`
    insert into history_progress (merchant_id, archived_to, archived_id) values (${ofMerchant()}, '2099-01-01', 'z')
    on conflict (merchant_id) do update set archived_to = excluded.archived_to, archived_id = excluded.archived_id`;
}

/** How many milliseconds before the order the archive goes on. */
async function archiveGoesOn(orderId: string) {
  const [row] = await sql()`
    select extract(epoch from o.created_at - h.archived_to) * 1000 as before, h.archived_id as id, o.archived_at
    from orders o join history_progress h using (merchant_id) where o.order_id = ${orderId}`;
  return { before: Number(row!['before']), id: row!['id'], archivedAt: row!['archived_at'] };
}
const justBefore = { before: 1, id: '', archivedAt: null };

for (const isDropped of [false, true]) {
  describe(isDropped ? 'without the triggers of 0.2.0' : 'with the triggers of 0.2.0', () => {
    before(async () => {
      listener = new pg.Client({ connectionString: shop.api.world.databaseUrl });
      await listener.connect();
      listener.on('notification', ({ payload = '' }) => heard.push(payload));
      await listener.query('listen milaan_orders');
      const found = await sql()`
        select from pg_trigger where tgname = any (${Object.keys(triggers)}::text[]) and tgenabled = 'O'`;
      assert.equal(found.length, 4);
      if (!isDropped) return;
      for (const [trigger, table] of Object.entries(triggers))
        await sql().unsafe(`drop trigger ${trigger} on ${table}`);
    });

    after(() => listener.end());

    test('waiting pages are notified once when an order is paid, and at each further change', async () => {
      assert.equal(await newsOf(await pay()), 1);
      const order = await shop.order();
      const stray = await shop.stray({ amount: payableOf({ payable_amount: 7 }) });
      assert.equal(await shop.attach(stray, order.order_id), null);
      assert.equal(await newsOf(order.order_id), 1);
      assert.equal(await shop.decline(stray, order.order_id), null);
      assert.equal(await newsOf(order.order_id), 2);
    });

    test('an order that changes after it was archived is archived again', async () => {
      const order = await shop.order();
      await archive(order.order_id);
      const given = await shop.credit({ amount: payableOf(order) });
      assert.equal((await shop.confirm(given)).outcome, 'paid');
      assert.deepEqual(await archiveGoesOn(order.order_id), justBefore);
      const other = await shop.order();
      await archive(other.order_id);
      const stray = await shop.stray({ amount: payableOf({ payable_amount: 7 }) });
      assert.equal(await shop.attach(stray, other.order_id), null);
      assert.deepEqual(await archiveGoesOn(other.order_id), justBefore);
    });

    test('a piece of a link is counted once, whether its order is paid at once or accepted by a person', async () => {
      await sql()`
        insert into payment_links (merchant_id, link_id, token, title, amount_paise, stock, made_by, created_at)
        values (${ofMerchant()}, 'few', 'few', 'Thali', 49900, 5, '', now())`;
      const piece = async (name: string) => {
        const order = await shop.order({ merchant_order_id: `till-${name}` });
        await sql()`
          insert into order_purposes (merchant_id, order_id, purpose, link_id, created_at)
          values (${ofMerchant()}, ${order.order_id}, '', 'few', now())`;
        return order;
      };
      const counted = async () =>
        (await sql()`select paid_pieces from payment_links where merchant_id = ${ofMerchant()}`)[0]![
          'paid_pieces'
        ];
      const order = await piece('one');
      assert.equal((await shop.confirm(await shop.credit({ amount: payableOf(order) }))).outcome, 'paid');
      assert.equal(await counted(), 1);
      const other = await piece('two');
      const stray = await shop.stray({ amount: payableOf({ payable_amount: 7 }) });
      assert.equal(await shop.accept(stray, other.order_id), null);
      assert.equal(await counted(), 2);
    });

    test('an order is unconfirmable without a mailbox, unless forwarding works', async () => {
      const noted = async () =>
        (await sql()`select from unconfirmable where merchant_id = ${ofMerchant()}`).length;
      await sql()`
        insert into forward_addresses (merchant_id, address, opened_at, works_since)
        values (${ofMerchant()}, ${`a${ofMerchant()}@mail.example`}, now(), now())`;
      await shop.order();
      assert.equal(await noted(), 0);
      await sql()`update forward_addresses set works_since = null where merchant_id = ${ofMerchant()}`;
      await shop.order();
      assert.equal(await noted(), 1);
    });
  });
}
