import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { startReceiving } from '../../../src/alerts/mailboxes/start-receiving.ts';
import { newApp } from '../../../src/base/http/app.ts';
import { createApiKey } from '../../../src/business/merchants/create-api-key.ts';
import { orderRoutes } from '../../../src/orders/routes.ts';
import { startDelivering } from '../../../src/outbox/webhooks/start-delivering.ts';
import { testBank } from '../../support/alert-banks.ts';
import { orderBody } from '../../support/api.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { bankZone, linesWith, signedAlert } from '../../support/genuine-alert.ts';
import { needs } from '../../support/needs.ts';
import { connectTestMailbox, openMailWorld, quickPace } from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

const { prepare, test, use } = needs('Dovecot');

describe('from the bank to the shop', () => {
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  const shop = use(startReceiver);
  prepare(async () => {
    for (const [name, record] of Object.entries(bankZone())) world.dns.texts.set(name, [record]);
    world.banks = openBankBook(() => [testBank()]);
  });
  use(() => startReceiving(world, { ca: dovecot.ca, pace: quickPace }));
  use(() => startDelivering(world));

  test('an alert delivered to the mailbox pays its order, and the shop is notified', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot);
    await world.sql`update upi_accounts set bank = 'test' where merchant_id = ${merchantId}`;
    const { apiKey } = await createApiKey(world.sql, world, merchantId, 'shop');
    const app = newApp(world);
    await orderRoutes(app, world);
    const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
      app.inject({ method, url, headers: { 'x-api-key': apiKey }, ...(payload && { payload }) });
    const order = (await ask('POST', '/api/v1/orders', orderBody({ webhook_url: shop.url }))).json();
    const status = async () => (await ask('GET', `/api/v1/orders/${order.order_id}`)).json().status;
    assert.equal(await status(), 'pending');

    const at = new Date();
    const alert = (amount: string, reference: string) =>
      signedAlert(
        linesWith({ To: user, Date: at.toUTCString(), 'Message-ID': `<${reference}@test.bank.in>` }),
        `Dear Customer, Rs.${amount} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}. Thank you.\r\n`,
        { tags: [`t=${Math.floor(at.getTime() / 1000)}`] },
      );
    const paying = alert(order.payable_amount.toFixed(2), '612345678901');
    const forged = Buffer.from(paying.toString('latin1').replace('ravi@okbank', 'mala@okbank'), 'latin1');
    await dovecot.deliver(user, forged);
    await dovecot.deliver(user, paying, 'Junk');
    await dovecot.deliver(user, Buffer.concat([Buffer.from('X-Moved: yes\r\n'), paying]));
    await waitFor('the webhook', () => shop.received.length === 1);
    assert.equal(await status(), 'paid');
    const event = JSON.parse(shop.received[0]!.body);
    assert.deepEqual(
      [event.type, event.data.order_id, event.data.status],
      ['payment.paid', order.order_id, 'paid'],
    );

    const verdicts = async () => {
      const rows = await world.sql<{ verdict: string }[]>`
        select verdict from alerts where merchant_id = ${merchantId} order by verdict`;
      return rows.map(row => row.verdict).join();
    };
    await waitFor('three verdicts', async () => (await verdicts()) === 'duplicate,forged,paid');
    assert.equal(shop.received.length, 1);
    await app.close();
  });
});
