import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addAlertAddress } from '../../../src/alerts/addresses/add-alert-address.ts';
import { codeMailer } from '../../../src/alerts/addresses/code-mailer.ts';
import { forwardingState, isBlind } from '../../../src/alerts/forwarding/forwarding-state.ts';
import { replaceForwarding } from '../../../src/alerts/forwarding/open-forwarding.ts';
import { changeOfProbe, probeHeader } from '../../../src/alerts/forwarding/probe.ts';
import { claimProbes, recordProbeFailed } from '../../../src/alerts/forwarding/queries/probes.ts';
import { notifySilentForwardings } from '../../../src/alerts/forwarding/start-probing.ts';
import { headerOf } from '../../../src/alerts/mail/split-headers.ts';
import { hour, later, minute } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { sayReason } from '../../../src/texts/say.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addForwardingShop, creditTo, openForwardingStage } from '../../support/forwarding-stage.ts';
import { handMail } from '../../support/mail-provider.ts';
import { prepare, use, useEach } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('a forwarding', () => {
  let owner: string;
  let ahead = 0;
  let shops = 0;
  const stage = use(openForwardingStage);
  prepare(async () => {
    stage.world.clock.now = () => new Date(Date.now() + ahead);
  });
  beforeEach(async () => {
    owner = `meera${++shops}@quiet.example`;
  });
  const shop = useEach(() => addForwardingShop(stage.world));
  beforeEach(async () => {
    stage.provider.forward(owner, { port: stage.port, address: shop.forwardTo });
    await addAlertAddress(stage.world, shop.merchantId, owner, codeMailer(stage.world.config));
    await waitFor('the first probe to be back', async () => (await probe())?.answeredAt);
  });

  const state = async () =>
    (await forwardingState(stage.world.sql, shop.merchantId, stage.world.clock.now()))!;
  const probe = async () => (await state()).probes[0];
  const probesSent = () =>
    stage.provider.received.filter(mail => mail.to[0] === owner && mail.raw.includes(probeHeader));
  const kinds = async () => {
    await notifySilentForwardings(stage.world);
    const rows = await stage.world.sql<{ kind: string }[]>`
      select kind from notices where merchant_id = ${shop.merchantId} and kind like 'forwarding%' order by notice_id`;
    return rows.map(row => row.kind);
  };
  /** Time passes, and whoever has something to do looks. */
  async function pass(milliseconds: number): Promise<void> {
    ahead += milliseconds;
    await stage.world.sql.notify('probes', '');
  }

  test('a forwarding works once our test mail came through', async () => {
    const { worksSince, blind, probes } = await state();
    assert.ok(worksSince);
    assert.equal(blind, false);
    assert.equal(probes[0]!.waitingSince, null);
    assert.equal(probesSent().length, 1);
  });

  test('a forwarding is reported once as unreachable after five minutes of silence, and once when it works again', async () => {
    stage.provider.forward(owner, null);
    await pass(6 * hour);
    await waitFor('the next probe', () => probesSent().length === 2);
    await waitFor('it to be awaited', async () => (await probe())!.waitingSince);
    assert.equal(await isBlind(stage.world, shop.merchantId), false);
    await pass(6 * minute);
    assert.equal(await isBlind(stage.world, shop.merchantId), true);
    assert.deepEqual(await kinds(), []);
    await pass(10 * minute);
    await waitFor(
      'the owner to be told, by this test or by the prober beside it',
      async () => (await kinds())[0],
    );
    assert.deepEqual(await kinds(), ['forwarding_silent']);
    // An older probe that somebody repeats ends no silence.
    const old = probesSent()[0]!.raw;
    assert.equal((await handMail(stage.port, { to: shop.forwardTo, raw: old })).code, 250);
    assert.equal((await state()).blind, true);
    stage.provider.forward(owner, { port: stage.port, address: shop.forwardTo });
    await pass(30 * minute);
    await waitFor('the probe to be back', async () => (await probe())!.waitingSince === null);
    assert.equal(await isBlind(stage.world, shop.merchantId), false);
    await waitFor('the owner to be told again', async () => (await kinds())[1]);
    assert.deepEqual(await kinds(), ['forwarding_silent', 'forwarding_heard']);
  });

  test('a probe finds a forwarding that changes mails before the first payment: the owner reads what to switch off', async () => {
    const { sql, clock, secrets } = stage.world;
    const changer = `change${shops}@quiet.example`;
    const other = await addForwardingShop(stage.world);
    stage.provider.forward(changer, {
      port: stage.port,
      address: other.forwardTo,
      change: raw =>
        Buffer.from(raw.toString('latin1').replace(/^Subject: /im, 'Subject: [EXTERNAL] '), 'latin1'),
    });
    await addAlertAddress(stage.world, other.merchantId, changer, codeMailer(stage.world.config));
    const found = await waitFor('the changed probe', async () => {
      const [one] = (await forwardingState(sql, other.merchantId, clock.now()))!.probes;
      return one?.change;
    });
    assert.equal(sayReason('en', found), '“[EXTERNAL]” was added to its subject.');
    const rows =
      await sql`select facts from notices where merchant_id = ${other.merchantId} and kind = 'mail_changed'`;
    assert.equal(rows.length, 1);
    assert.equal((await probe())!.change, null, 'a forwarding that changes nothing is distinguished from it');
    const [sent] = probesSent();
    const token = headerOf(sent!.raw, probeHeader)!;
    assert.equal(changeOfProbe(secrets, token, sent!.raw), null);
    const text = sent!.raw.toString('latin1');
    const footer = Buffer.from(`${text}-- \r\nScanned by MailGuard\r\n`, 'latin1');
    assert.match(
      sayReason('en', changeOfProbe(secrets, token, footer)!),
      /“-- Scanned by MailGuard” was added/,
    );
    const moved = Buffer.from(text.replace(/(\S)(\r\n)+$/, '$1  \r\n\r\n'), 'latin1');
    assert.equal(
      changeOfProbe(secrets, token, moved),
      null,
      'blanks at line ends break no signature of a bank',
    );
  });

  test('a forwarding is probed when a customer opens a page after a silence, and not again at once', async () => {
    await isBlind(stage.world, shop.merchantId);
    await pass(11 * minute);
    assert.equal(probesSent().length, 1);
    await isBlind(stage.world, shop.merchantId);
    await waitFor('a probe', () => probesSent().length === 2);
    await waitFor('it to be back', async () => (await probe())!.waitingSince === null);
    for (let opened = 0; opened < 5; opened++) await isBlind(stage.world, shop.merchantId);
    await pass(1 * minute);
    assert.equal(probesSent().length, 2);
  });

  test('one sender probes a forwarding: another replaces it if it dies, and a slow one changes nothing', async () => {
    const { sql, clock } = stage.world;
    // Due at that time, but not yet for the sender that runs next to this test.
    const now = later(clock.now(), 7 * hour);
    const claim = async (at: Date) =>
      (await claimProbes(sql, newLease(at, minute), 20)).filter(({ address }) => address === owner);
    const [one, two] = await Promise.all([claim(now), claim(now)]);
    const [dead] = [...one, ...two];
    assert.deepEqual([one.length + two.length, (await claim(now)).length], [1, 0]);
    const [next] = await claim(later(now, minute));
    await recordProbeFailed(sql, dead!, 'too late', now);
    assert.equal((await probe())!.failure, null);
    await recordProbeFailed(sql, next!, 'refused', later(now, hour));
    assert.equal((await probe())!.failure, 'refused');
    assert.equal((await claim(later(now, minute))).length, 0);
    assert.equal((await claim(later(now, hour))).length, 1);
  });

  test('a probe of another shop or another address cannot make a forwarding look well', async () => {
    const other = await addForwardingShop(stage.world);
    const mine = probesSent()[0]!.raw;
    assert.equal((await handMail(stage.port, { to: other.forwardTo, raw: mine })).code, 250);
    const token = `${Date.now() + ahead}.${'0'.repeat(64)}`;
    const made = Buffer.from(`From: pay@milaan.example\r\n${probeHeader}: ${token}\r\n\r\nx\r\n`);
    assert.equal((await handMail(stage.port, { to: other.forwardTo, raw: made })).code, 250);
    const found = await forwardingState(stage.world.sql, other.merchantId, stage.world.clock.now());
    assert.deepEqual([found!.worksSince, found!.probes], [null, []]);
  });

  test('a replaced forwarding proves nothing about the new one: the old one still works, the new one not yet', async () => {
    const { sql, clock, config } = stage.world;
    // An open order keeps the old address for some minutes.
    await sql`
      insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
        expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
      values (${shop.merchantId}, ${`ML-00000000${shops}`}, 'open', 100, 101, 'pending', ${clock.now()},
        ${new Date(clock.now().getTime() + 5 * minute)}, ${`token-${shops}`}, ${shop.accountId}, 'x', 'x', 'x')`;
    const opening = { merchantId: shop.merchantId, mailDomain: config.mailDomain!, now: clock.now() };
    assert.ok(await sql.begin(tx => replaceForwarding(tx, opening)));
    await waitFor('a probe by the old way', () => probesSent().length === 2);
    const { code } = await handMail(stage.port, { to: shop.forwardTo, raw: probesSent()[1]!.raw });
    assert.equal(code, 250);
    const found = await state();
    assert.deepEqual([found.worksSince, found.probes[0]!.answeredAt], [null, null]);
  });

  test('the bank’s signature on a direct mail proves that the forwarding works', async () => {
    const direct = await addForwardingShop(stage.world);
    const raw = creditTo(direct.forwardTo);
    await handMail(stage.port, { to: direct.forwardTo, raw });
    const works = async () => {
      await stage.world.sql.notify('probes', '');
      return (await forwardingState(stage.world.sql, direct.merchantId, stage.world.clock.now()))!.worksSince;
    };
    assert.equal(await works(), null);
    await stage.world.sql`
      update alerts set signing_domain = 'test.bank.in', recipient = ${direct.forwardTo}, verdict = 'no_order'
      where merchant_id = ${direct.merchantId}`;
    await waitFor('it to be known', works);
  });

  test('a silent forwarding is not unreachable while the mailbox brings the alerts, and the reverse', async () => {
    const { sql, clock } = stage.world;
    await connectedMailbox(stage.world, shop.merchantId, `beside${shops}`);
    await sql`update mailbox_states set last_good_poll = ${clock.now()}, last_alert_at = ${clock.now()}
      where merchant_id = ${shop.merchantId}`;
    await sql`update extra_alert_addresses set probe_waiting_since = ${new Date(clock.now().getTime() - hour)}
      where merchant_id = ${shop.merchantId}`;
    assert.equal((await state()).blind, true);
    assert.equal(await isBlind(stage.world, shop.merchantId), false);
    await sql`update forward_addresses set last_alert_at = ${clock.now()} where merchant_id = ${shop.merchantId}`;
    await sql`update mailbox_states set last_alert_at = ${new Date(clock.now().getTime() - 48 * hour)}
      where merchant_id = ${shop.merchantId}`;
    assert.equal(await isBlind(stage.world, shop.merchantId), true);
    await sql`update extra_alert_addresses set probe_waiting_since = null where merchant_id = ${shop.merchantId}`;
    await sql`update mailbox_states set last_good_poll = null where merchant_id = ${shop.merchantId}`;
    assert.equal(await isBlind(stage.world, shop.merchantId), false);
  });
});
