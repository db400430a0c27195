import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addAlertAddress } from '../../../src/alerts/addresses/add-alert-address.ts';
import { codeMailer } from '../../../src/alerts/addresses/code-mailer.ts';
import { confirmAlertAddress } from '../../../src/alerts/addresses/confirm-alert-address.ts';
import { alertAddresses } from '../../../src/alerts/addresses/queries/addresses.ts';
import { listForwardRequests } from '../../../src/alerts/forwarding/queries/forwarding.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { paise } from '../../../src/base/money.ts';
import { createOrder } from '../../../src/orders/create-order.ts';
import {
  addForwardingShop,
  alertsOf,
  creditTo,
  openForwardingStage,
  ourSender,
} from '../../support/forwarding-stage.ts';
import { googleConfirmation, handMail, sentOn } from '../../support/mail-provider.ts';
import { mailKey, signMail } from '../../support/signed-mail.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('alerts that pay by forwarding', () => {
  let orders = 0;
  const stage = use(() => openForwardingStage({}, { judging: true }));

  /** An order of this business, and the amount that it waits for. */
  async function order(merchantId: number): Promise<{ amount: string; status(): Promise<string> }> {
    const { order } = await createOrder(
      stage.world.sql,
      stage.world,
      { merchantId, signedIn: true },
      {
        amount: paise(500_00),
        merchantOrderId: `forward-${++orders}`,
        successUrl: 'https://shop.example.com/thanks',
        failureUrl: 'https://shop.example.com/sorry',
        webhookUrl: 'https://shop.example.com/hook',
        customer: null,
        account: null,
      },
    );
    return {
      amount: (order.payable_paise / 100).toFixed(2),
      async status() {
        const [row] = await stage.world.sql<{ status: string }[]>`
          select status from orders where merchant_id = ${merchantId} and order_id = ${order.order_id}`;
        return row!.status;
      },
    };
  }

  const verdicts = async (merchantId: number) =>
    (await alertsOf(stage.world, merchantId)).map(({ verdict }) => verdict);

  async function judged(merchantId: number, count: number): Promise<string[]> {
    return await waitFor(`${count} verdicts`, async () => {
      const found = await verdicts(merchantId);
      return found.length === count && !found.includes('unjudged') ? found : null;
    });
  }

  async function addAddress(merchantId: number, address: string): Promise<void> {
    const added = await addAlertAddress(stage.world, merchantId, address, codeMailer(stage.world.config));
    assert.equal(added.outcome, 'code_sent');
  }

  const codeMail = async (address: string) =>
    await waitFor(
      'the code mail',
      () => stage.provider.received.findLast(mail => mail.to[0] === address)?.raw,
    );

  const hand = (to: string, raw: Buffer) => handMail(stage.port, { to, raw });

  test('an alert that the bank writes to the forwarding address pays', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const { amount, status } = await order(merchantId);
    assert.equal((await hand(forwardTo, creditTo(forwardTo, { amount }))).code, 250);
    assert.deepEqual(await judged(merchantId, 1), ['paid']);
    assert.equal(await status(), 'paid');
  });

  test('an alert to an address pays after the address’s code came back through the forwarding, not before', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const owner = 'meera@one.example';
    const { amount, status } = await order(merchantId);
    await hand(forwardTo, sentOn(creditTo(owner, { amount }), { from: owner, to: forwardTo }));
    assert.deepEqual(await judged(merchantId, 1), ['wrong_recipient']);
    stage.provider.forward(owner, { port: stage.port, address: forwardTo });
    await addAddress(merchantId, owner);
    await waitFor('the address', async () =>
      (await alertAddresses(stage.world.sql, merchantId)).includes(owner),
    );
    await stage.provider.arrives(owner, creditTo(owner, { amount }));
    assert.deepEqual((await judged(merchantId, 2)).at(-1), 'paid');
    assert.equal(await status(), 'paid');
  });

  test('an alert to an address pays after its code was typed', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const owner = 'meera@typed.example';
    await addAddress(merchantId, owner);
    const code = /Milaan code (\d{8})/.exec((await codeMail(owner)).toString())![1]!;
    const confirmed = await stage.world.sql.begin(tx =>
      confirmAlertAddress(tx, stage.world, merchantId, code),
    );
    assert.equal(confirmed.outcome, 'confirmed');
    const { amount, status } = await order(merchantId);
    await hand(forwardTo, sentOn(creditTo(owner, { amount }), { from: owner, to: forwardTo }));
    assert.deepEqual(await judged(merchantId, 1), ['paid']);
    assert.equal(await status(), 'paid');
  });

  test('a stranger’s Gmail pays nothing, though Google asked and the shop agreed', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const thief = 'mallory@gmail.example';
    const { amount, status } = await order(merchantId);
    assert.equal((await hand(forwardTo, googleConfirmation({ to: forwardTo, askedBy: thief }))).code, 250);
    const shown = await listForwardRequests(stage.world.sql, merchantId, new Date(0));
    assert.deepEqual(
      shown.map(one => one.asked_by),
      [thief],
    );
    // Even his account ends in the same digits.
    await hand(forwardTo, sentOn(creditTo(thief, { amount }), { from: thief, to: forwardTo }));
    assert.deepEqual(await judged(merchantId, 1), ['wrong_recipient']);
    assert.equal(await status(), 'pending');
    assert.deepEqual(await alertAddresses(stage.world.sql, merchantId), [forwardTo]);
  });

  test('forged mails, other banks, other accounts and other wordings pay nothing through a stolen address', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const { amount, status } = await order(merchantId);
    const genuine = creditTo(forwardTo, { amount: '1.00' });
    const forged = Buffer.from(genuine.toString('latin1').replace('Rs.1.00', `Rs.${amount}`), 'latin1');
    const onTop = Buffer.concat([
      Buffer.from(`To: ${forwardTo}\r\n`),
      creditTo('mallory@home.example', { amount }),
    ]);
    const byAnother = signMail(
      [
        'From: Test Bank <alerts@test.bank.in>',
        `To: ${forwardTo}`,
        'Subject: Account update',
        `Date: ${new Date().toUTCString()}`,
      ],
      `Dear Customer, Rs.${amount} is credited to your account XX4321 by x@ok. UPI reference 612345678901. Thank you.\r\n`,
      { domain: 'evil.example', key: mailKey(2048, 'evil') },
    );
    // The bank lets its customer give any address: his account is another.
    const otherAccount = creditTo(forwardTo, { amount, account: 'XX9999' });
    for (const raw of [forged, onTop, byAnother, otherAccount])
      assert.equal((await hand(forwardTo, raw)).code, 250);
    assert.deepEqual((await judged(merchantId, 4)).toSorted(), [
      'forged',
      'forged',
      'forged',
      'wrong_account',
    ]);
    assert.equal(await status(), 'pending');
  });

  test('no mail counts twice: with a changed header, from a mailbox as well, or sent to another shop', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const other = await addForwardingShop(stage.world);
    const { amount, status } = await order(merchantId);
    const again = await order(other.merchantId);
    const raw = creditTo(forwardTo, { amount });
    await hand(forwardTo, raw);
    assert.deepEqual(await judged(merchantId, 1), ['paid']);
    assert.equal(await status(), 'paid');
    const changed = [
      sentOn(raw, { from: 'a@b.example', to: forwardTo }),
      Buffer.from(raw.toString('latin1').replace('<7', '<8'), 'latin1'),
      Buffer.from(raw.toString('latin1').replace('MIME-Version', 'Mime-Version'), 'latin1'),
    ];
    for (const copy of changed) assert.equal((await hand(forwardTo, copy)).code, 250);
    await stage.world.sql.begin(tx =>
      storeMail(tx, {
        merchantId,
        raw: Buffer.concat([Buffer.from('X-Mailbox: yes\r\n'), raw]),
        arrivedAt: new Date(),
        foundIn: 'INBOX/1/1',
      }),
    );
    const found = await judged(merchantId, 5);
    assert.equal(found.filter(verdict => verdict === 'paid').length, 1);
    assert.ok(found.every(verdict => ['paid', 'duplicate'].includes(verdict)));
    await hand(other.forwardTo, raw);
    assert.deepEqual(await judged(other.merchantId, 1), ['wrong_recipient']);
    assert.equal(await again.status(), 'pending');
  });

  test('mails with guessed codes prove nothing and use up no code', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const owner = 'meera@guess.example';
    await addAddress(merchantId, owner);
    const mail = await codeMail(owner);
    const code = /Milaan code (\d{8})/.exec(mail.toString())![1]!;
    const guess = (subject: string, more = '') =>
      Buffer.from(`From: ${ourSender}\r\nSubject: ${subject}\r\n${more}\r\nx\r\n`);
    for (let tries = 0; tries < 8; tries++)
      await hand(forwardTo, guess('Milaan code 00000000', `X-Milaan-Proof: ${'ab'.repeat(32)}\r\n`));
    // Not even the right one, without the proof that only the mail to the address carries.
    await hand(forwardTo, guess(`Milaan code ${code}`));
    assert.deepEqual(await alertAddresses(stage.world.sql, merchantId), [forwardTo]);
    // Nor at another shop's address.
    const other = await addForwardingShop(stage.world);
    await hand(other.forwardTo, mail);
    assert.deepEqual(await alertAddresses(stage.world.sql, other.merchantId), [other.forwardTo]);
    assert.deepEqual(await alertAddresses(stage.world.sql, merchantId), [forwardTo]);
    await hand(forwardTo, mail);
    assert.deepEqual(await alertAddresses(stage.world.sql, merchantId), [forwardTo, owner].toSorted());
  });

  test('nobody else can list an address of ours, nor another shop’s proven one', async () => {
    const [one, two] = [await addForwardingShop(stage.world), await addForwardingShop(stage.world)];
    const owner = 'meera@once.example';
    stage.provider.forward(owner, { port: stage.port, address: one.forwardTo });
    await addAddress(one.merchantId, owner);
    await waitFor('the address', async () =>
      (await alertAddresses(stage.world.sql, one.merchantId)).includes(owner),
    );
    const send = codeMailer(stage.world.config);
    for (const address of [owner, one.forwardTo, two.forwardTo])
      assert.equal(
        (await addAlertAddress(stage.world, two.merchantId, address, send)).outcome,
        'refused',
        address,
      );
  });
});
