import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notifyUnconfirmable } from '../../../src/alerts/mailboxes/notify-of-mailboxes.ts';
import { upsertMailbox } from '../../../src/alerts/mailboxes/queries/settings.ts';
import { minute } from '../../../src/base/clock.ts';
import { sayNotice } from '../../../src/texts/say.ts';
import { openTestApi } from '../../support/api.ts';
import { use } from '../../support/use.ts';

const api = use(openTestApi);

const notices = async () =>
  await api.world.sql<{ kind: 'orders_unconfirmable'; facts: { since: string } }[]>`
    select kind, facts from notices where merchant_id = ${api.merchant.merchantId} and kind = 'orders_unconfirmable'
    order by created_at`;
const connect = async () =>
  await upsertMailbox(api.world.sql, {
    merchant_id: api.merchant.merchantId,
    provider: 'other',
    address: 'shop@mail.example',
    username: 'shop',
    host: 'imap.mail.example',
    port: 993,
    credential: 'sealed',
    extra_folders: [],
    connected_at: api.world.clock.now(),
  });
const disconnect = async () =>
  await api.world.sql`delete from mailboxes where merchant_id = ${api.merchant.merchantId}`;

test('orders without a mailbox are created as usual, and their owner is notified once, until one is connected', async () => {
  for (let round = 1; round <= 2; round++) {
    for (let orders = 0; orders < 3; orders++) {
      assert.equal((await api.create()).statusCode, 201);
      await notifyUnconfirmable(api.world);
    }
    assert.equal((await notices()).length, round);
    await connect();
    assert.equal((await api.create()).statusCode, 201);
    await notifyUnconfirmable(api.world);
    assert.equal((await notices()).length, round);
    await disconnect();
    api.world.clock.advance(1 * minute);
  }
  for (const notice of await notices()) {
    assert.match(sayNotice('en', notice)!.subject, /no payment can be confirmed/);
    assert.notEqual(sayNotice('hi', notice)!.text, sayNotice('en', notice)!.text);
  }
});

test('a mailbox that is being disconnected confirms no new order, and the owner is notified', async () => {
  await connect();
  await api.world.sql`update mailboxes set read_until = ${api.world.clock.now()}`;
  const before = (await notices()).length;
  await api.create();
  await notifyUnconfirmable(api.world);
  assert.equal((await notices()).length, before + 1);
  await disconnect();
});

test('a refused or repeated create notifies nobody', async () => {
  await connect();
  await api.create({ merchant_order_id: 'here before' });
  await disconnect();
  await api.create({ merchant_order_id: 'here before' });
  await api.create({ amount: -1 });
  assert.equal((await api.world.sql`select from unconfirmable`).length, 0);
});
