import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { type Judge, judgeAlert } from '../../../src/alerts/judging/judge-alert.ts';
import { type Judgement, undecided } from '../../../src/alerts/judging/judge-mail.ts';
import { judgeStoredMails, leaseFor } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { claimAlerts, countWaiting, renewClaims } from '../../../src/alerts/judging/queries/claims.ts';
import { startJudging } from '../../../src/alerts/judging/start-judging.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { reasonColumn } from '../../../src/alerts/queries.ts';
import { day, hour, later, minute, second } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { paise } from '../../../src/base/money.ts';
import { because, type Reason } from '../../../src/texts/verdicts.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('judging stored mails', () => {
  let merchantId: number;
  const world = use(openTestWorld);
  beforeEach(async () => {
    await world.sql`delete from alerts`;
    ({ merchantId } = await addTestMerchant(world));
  });

  const store = (text: string, merchant = merchantId) =>
    world.sql.begin(tx =>
      storeMail(tx, {
        merchantId: merchant,
        raw: Buffer.from(text),
        arrivedAt: world.clock.now(),
        foundIn: 'INBOX/1/1',
      }),
    );
  const verdicts = async () =>
    await world.sql<{ verdict: string; tries: number; next_try_at: Date | null; reason: Reason | null }[]>`
      select verdict, tries, next_try_at, ${reasonColumn(world.sql)} from alerts where merchant_id = ${merchantId}`;
  const refusing =
    (verdict: 'forged' | 'retrying', reason = because('not_signed', { bank: 'HDFC Bank' })): Judge =>
    async () =>
      ({ ...undecided(reason), verdict }) as Judgement;
  const credit: Judge = async raw => ({
    ...undecided(because('no_text')),
    verdict: 'credit',
    reason: because('money_arrived', { bank: 'HDFC Bank' }),
    bankId: 'hdfc',
    bankName: 'HDFC Bank',
    facts: {
      template: 'upi',
      trust: 'confirmed',
      amount: paise(Number(raw.toString())),
      reference: '612345678901',
      payer: null,
      accountDigits: '4321',
      payeeVpa: null,
      printedAt: null,
    },
    alertTime: world.clock.now(),
    signatureId: `signature of ${raw}`,
    signingDomain: 'hdfcbank.net',
    selector: 's1',
    recipient: 'shop@test.example',
  });
  const nobody = async () => assert.fail('matching was asked');

  test('the same mail stored again is the same alert, and nothing changes', async () => {
    const first = await store('a mail');
    await judgeStoredMails(world, { judge: refusing('forged'), confirm: nobody });
    assert.deepEqual(await store('a mail'), { alertId: first.alertId, isNew: false });
    assert.deepEqual(
      (await verdicts()).map(row => row.verdict),
      ['forged'],
    );
    const other = await addTestMerchant(world);
    assert.notEqual((await store('a mail', other.merchantId)).alertId, first.alertId);
  });

  test('a genuine credit is handed to matching with its facts already on the alert', async () => {
    const { alertId } = await store('50037');
    await judgeStoredMails(world, {
      judge: credit,
      confirm: async given => {
        const [row] =
          await world.sql`select amount_paise, alert_time, signature_id from alerts where alert_id = ${alertId}`;
        assert.equal(row!['amount_paise'], 50037);
        assert.equal(row!['signature_id'], 'signature of 50037');
        assert.deepEqual(
          [given.merchantId, given.alertId, given.amount, given.reference],
          [merchantId, alertId, 50037, '612345678901'],
        );
        await world.sql`update alerts set verdict = 'paid', next_try_at = null where alert_id = ${alertId}`;
        return { outcome: 'paid' };
      },
    });
    assert.equal(await judgeStoredMails(world, { judge: credit, confirm: nobody }), 0);
  });

  test('a temporary fault is tried again for a day, then given up with a notice', async () => {
    await store('a mail');
    const noKey = because('key_not_fetched', { domain: 'hdfcbank.net' });
    const arrived = world.clock.now();
    const pauses: number[] = [];
    for (;;) {
      assert.equal(await judgeStoredMails(world, { judge: refusing('retrying', noKey), confirm: nobody }), 1);
      const [row] = await verdicts();
      if (!row!.next_try_at) break;
      assert.equal(row!.verdict, 'retrying');
      pauses.push(row!.next_try_at.getTime() - world.clock.now().getTime());
      assert.equal(await judgeStoredMails(world, { judge: nobody, confirm: nobody }), 0);
      world.clock.set(row!.next_try_at);
    }
    const first = [
      2 * second,
      10 * second,
      30 * second,
      2 * minute,
      5 * minute,
      10 * minute,
      30 * minute,
      hour,
      hour,
    ];
    assert.deepEqual(pauses.slice(0, first.length), first);
    assert.equal(world.clock.now().getTime() - arrived.getTime(), day);
    const [row] = await verdicts();
    assert.deepEqual([row!.verdict, row!.reason], ['unreadable', because('given_up', { cause: noKey })]);
    const notices =
      await world.sql`select from notices where merchant_id = ${merchantId} and kind = 'alert_unreadable'`;
    assert.equal(notices.length, 1);
  });

  test('a bug of our own is also tried again, and never overwrites a decision of matching', async () => {
    const { alertId } = await store('50037');
    await judgeStoredMails(world, {
      judge: credit,
      confirm: async () => {
        throw new Error('the database went away');
      },
    });
    assert.equal((await verdicts())[0]!.verdict, 'retrying');
    world.clock.advance(2 * second);
    await judgeStoredMails(world, {
      judge: credit,
      confirm: async () => {
        await world.sql`update alerts set verdict = 'paid', next_try_at = null where alert_id = ${alertId}`;
        throw new Error('the answer was lost');
      },
    });
    const [row] = await verdicts();
    assert.deepEqual([row!.verdict, row!.next_try_at], ['paid', null]);
  });

  test('an alert whose judge died still counts as waiting, with its original age', async () => {
    await store('a mail');
    const now = world.clock.now();
    const lease = newLease(now, leaseFor);
    assert.equal((await claimAlerts(world.sql, lease, { most: 16, busy: [] })).length, 1);
    assert.equal((await verdicts())[0]!.tries, 1);
    const { waiting, oldest } = await countWaiting(world.sql, later(lease.until, minute));
    assert.deepEqual([waiting, oldest], [1, now]);
  });

  test('two processes never judge one alert at once, and a dead one is replaced', async () => {
    for (let count = 0; count < 10; count++) await store(`mail ${count}`);
    const now = world.clock.now();
    const claim = (at = now) => claimAlerts(world.sql, newLease(at, leaseFor), { most: 16, busy: [] });
    const [one, two] = await Promise.all([claim(), claim()]);
    const ids = [...one, ...two].map(alert => alert.alert_id);
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal((await claim()).length + ids.length <= 10, true);
    const freed: string[] = [];
    for (
      let more = await claim(later(now, leaseFor));
      more.length > 0;
      more = await claim(later(now, leaseFor))
    )
      freed.push(...more.map(alert => alert.alert_id));
    assert.equal(new Set(freed).size, 10);
    // The dead one wakes up after all: its verdict is not taken.
    const late = [...one, ...two][0]!;
    await judgeAlert(world, { judge: refusing('forged'), confirm: nobody }, late);
    const [row] = await world.sql`select verdict from alerts where alert_id = ${late.alert_id}`;
    assert.equal(row!['verdict'], 'unjudged');
  });

  test('a lease is renewed without waiting for another alert that is being written', async () => {
    for (const text of ['one', 'other']) await store(text);
    const lease = newLease(world.clock.now(), leaseFor);
    const claimed = await claimAlerts(world.sql, lease, { most: 16, busy: [] });
    const [busy, free] = claimed.map(alert => alert.alert_id);
    const renewed = newLease(later(lease.now, second), leaseFor, lease.claim);
    await world.sql.begin(async tx => {
      await tx`select from alerts where alert_id = ${busy!} for update`;
      await world.sql.begin(async judge => {
        await judge`set local lock_timeout = '2s'`;
        await renewClaims(judge, renewed, claimed);
      });
    });
    const rows = await world.sql<{ alert_id: string; leased_until: Date }[]>`
      select alert_id, leased_until from alerts`;
    assert.deepEqual(
      new Map(rows.map(row => [row.alert_id, row.leased_until])),
      new Map([
        [busy, lease.until],
        [free, renewed.until],
      ]),
    );
  });

  test('a flood in one mailbox delays neither another business nor the genuine alert behind it', async () => {
    const other = await addTestMerchant(world);
    await world.sql`
      insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, next_try_at)
      select ${merchantId}, 'junk' || n, 1, ${world.clock.now()}, 'x', 'unjudged', ${world.clock.now()}
      from generate_series(1, 10000) n`;
    world.clock.advance(1);
    const genuine = await store('genuine');
    const foreign = await store('foreign', other.merchantId);
    const now = world.clock.now();
    const taken = await claimAlerts(world.sql, newLease(now, leaseFor), { most: 4, busy: [] });
    const ids = taken.map(alert => alert.alert_id);
    assert.ok(ids.includes(genuine.alertId) && ids.includes(foreign.alertId), ids.join());
    const rest = await claimAlerts(world.sql, newLease(now, leaseFor), { most: 16, busy: [merchantId] });
    assert.equal(rest.length, 0);
  });

  test('judging starts with the commit of a mail, and stops with nothing in progress', async () => {
    const judging = startJudging(world, { judge: refusing('forged'), confirm: nobody, pace: { poll: hour } });
    try {
      for (let count = 0; count < 40; count++) await store(`mail ${count}`);
      await waitFor('every verdict', async () => (await verdicts()).every(row => row.verdict === 'forged'));
    } finally {
      await judging.stop();
    }
    assert.equal((await verdicts()).length, 40);
  });
});
