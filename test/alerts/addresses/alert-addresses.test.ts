import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { addAlertAddress, removeAlertAddress } from '../../../src/alerts/addresses/add-alert-address.ts';
import { codeMailer } from '../../../src/alerts/addresses/code-mailer.ts';
import { confirmAlertAddress } from '../../../src/alerts/addresses/confirm-alert-address.ts';
import { alertAddresses, listExtraAddresses } from '../../../src/alerts/addresses/queries/addresses.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { type Dovecot, startDovecot } from '../../support/dovecot.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { needs } from '../../support/needs.ts';
import { connectTestMailbox, openMailWorld, watch } from '../../support/test-mailbox.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

const { after, before, test } = needs('Dovecot');

describe('an extra alert address', () => {
  let world: TestWorld;
  let receiver: MailReceiver;
  before(async () => {
    receiver = await startMailReceiver();
    world = await openTestWorld({ SMTP_URL: receiver.url, MAIL_FROM: 'Milaan <pay@milaan.example>' });
  });
  after(async () => {
    await world.stop();
    await receiver.stop();
  });

  const add = (merchantId: number, address: string) =>
    addAlertAddress(world, merchantId, address, codeMailer(world.config));
  const lastCode = () => /Subject: Milaan code (\d{8})/.exec(receiver.mails.at(-1)!.raw)![1]!;

  test('an alert address counts only after its code is typed back, and the code is stored nowhere in clear', async () => {
    const { merchantId } = await addTestMerchant(world);
    assert.deepEqual(await add(merchantId, ' Owner@Bank-Mail.example '), { outcome: 'code_sent' });
    assert.deepEqual(receiver.mails.at(-1)!.to, ['owner@bank-mail.example']);
    assert.deepEqual(await alertAddresses(world.sql, merchantId), []);
    const code = lastCode();
    const [row] = await world.sql`select * from extra_alert_addresses where merchant_id = ${merchantId}`;
    assert.ok(!JSON.stringify(row).includes(code));
    const confirmed = await world.sql.begin(tx =>
      confirmAlertAddress(tx, world, merchantId, `${code.slice(0, 4)} ${code.slice(4)}`),
    );
    assert.equal(confirmed.outcome, 'confirmed');
    assert.deepEqual(await alertAddresses(world.sql, merchantId), ['owner@bank-mail.example']);
    assert.equal(
      (await world.sql.begin(tx => confirmAlertAddress(tx, world, merchantId, code))).outcome,
      'wrong_code',
    );
    assert.equal((await add(merchantId, 'owner@bank-mail.example')).outcome, 'already_confirmed');
    assert.equal(
      await world.sql.begin(tx => removeAlertAddress(tx, merchantId, 'owner@bank-mail.example')),
      true,
    );
    assert.deepEqual(await listExtraAddresses(world.sql, merchantId), []);
  });

  test('a code cannot be guessed: five wrong codes use up the right one, also when tried at once', async () => {
    const { merchantId } = await addTestMerchant(world);
    await add(merchantId, 'guess@bank-mail.example');
    const code = lastCode();
    const wrong = String((Number(code) + 1) % 1e8).padStart(8, '0');
    await Promise.all(
      Array.from({ length: 5 }, () =>
        world.sql.begin(tx => confirmAlertAddress(tx, world, merchantId, wrong)),
      ),
    );
    assert.equal(
      (await world.sql.begin(tx => confirmAlertAddress(tx, world, merchantId, code))).outcome,
      'wrong_code',
    );
    for (let more = 0; more < 2; more++)
      assert.equal((await add(merchantId, 'guess@bank-mail.example')).outcome, 'code_sent');
    const refused = await add(merchantId, 'guess@bank-mail.example');
    assert.match(refused.outcome === 'refused' ? sayReason('en', refused.reason) : '', /tomorrow/);
  });

  test('a code is not accepted after a day, nor from another business', async () => {
    const [one, two] = [await addTestMerchant(world), await addTestMerchant(world)];
    await add(one.merchantId, 'day@bank-mail.example');
    const code = lastCode();
    assert.equal(
      (await world.sql.begin(tx => confirmAlertAddress(tx, world, two.merchantId, code))).outcome,
      'wrong_code',
    );
    world.clock.advance(24 * 60 * 60 * 1000 + 1);
    assert.equal(
      (await world.sql.begin(tx => confirmAlertAddress(tx, world, one.merchantId, code))).outcome,
      'wrong_code',
    );
  });

  test('an alert address belongs to one business', async () => {
    const [one, two] = [await addTestMerchant(world), await addTestMerchant(world)];
    await add(two.merchantId, 'once@bank-mail.example');
    const second = lastCode();
    await add(one.merchantId, 'once@bank-mail.example');
    assert.equal(
      (await world.sql.begin(tx => confirmAlertAddress(tx, world, one.merchantId, lastCode()))).outcome,
      'confirmed',
    );
    assert.equal(
      (await world.sql.begin(tx => confirmAlertAddress(tx, world, two.merchantId, second))).outcome,
      'taken',
    );
    assert.equal((await add(two.merchantId, 'once@bank-mail.example')).outcome, 'refused');
    assert.deepEqual(await alertAddresses(world.sql, two.merchantId), []);
  });

  test('adding an alert address needs an address, and an installation that sends mail', async () => {
    const { merchantId } = await addTestMerchant(world);
    assert.equal((await add(merchantId, '"a b"@c.example')).outcome, 'refused');
    assert.equal((await addAlertAddress(world, merchantId, 'a@c.example', null)).outcome, 'refused');
  });
});

describe('a code that is forwarded into the connected mailbox', () => {
  let world: TestWorld;
  let dovecot: Dovecot;
  let receiver: MailReceiver;
  before(async () => {
    [receiver, dovecot] = await Promise.all([startMailReceiver(), startDovecot()]);
    world = await openMailWorld({ SMTP_URL: receiver.url, MAIL_FROM: 'pay@milaan.example' });
  });
  after(async () => {
    await Promise.all([world.stop(), dovecot.stop(), receiver.stop()]);
  });

  test('a forwarded code confirms the address, also after wrong guesses, and its mail is no alert', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot);
    await addAlertAddress(world, merchantId, 'other@bank-mail.example', codeMailer(world.config));
    const watching = watch(world, dovecot);
    try {
      for (let n = 0; n < 6; n++)
        await dovecot.deliver(
          user,
          `From: pay@milaan.example\r\nMessage-ID: <${n}@x>\r\nSubject: Milaan code 0000000${n}\r\n\r\nx\r\n`,
        );
      await dovecot.deliver(user, receiver.mails.at(-1)!.raw);
      await waitFor('the address', async () => (await alertAddresses(world.sql, merchantId)).length === 2);
    } finally {
      await watching.stop();
    }
    assert.equal((await world.sql`select from alerts where merchant_id = ${merchantId}`).length, 0);
    const [{ wrong_codes } = {}] = await world.sql`
      select wrong_codes from extra_alert_addresses where merchant_id = ${merchantId}`;
    assert.equal(wrong_codes, 0);
  });
});
