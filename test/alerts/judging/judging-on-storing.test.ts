import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Judge } from '../../../src/alerts/judging/judge-alert.ts';
import { type Judgement, undecided } from '../../../src/alerts/judging/judge-mail.ts';
import { judgeStoredMails, leaseFor } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { type StartedJudging, startJudging } from '../../../src/alerts/judging/start-judging.ts';
import { storeMails } from '../../../src/alerts/judging/store-mail.ts';
import { mostMailBytes } from '../../../src/alerts/mail/limits.ts';
import { alertChannel } from '../../../src/alerts/queries.ts';
import { hour } from '../../../src/base/clock.ts';
import { newLease } from '../../../src/base/database/row-lease.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('judging in the process that stores a mail', () => {
  let merchantId: number;
  let judging: StartedJudging;
  /** The mails that the judges got, in turn, and the judges that wait for a signal to go on. */
  let given: Buffer[];
  let held: Map<string, () => void>;
  const forged = { ...undecided(because('no_text')), verdict: 'forged' } as Judgement;
  const judge: Judge = async raw => {
    given.push(raw);
    if (raw.toString().startsWith('flood')) await new Promise<void>(go => held.set(raw.toString(), go));
    return forged;
  };
  const confirm = async () => assert.fail('matching was asked');

  const world = use(openTestWorld);
  beforeEach(async () => {
    given = [];
    held = new Map();
    ({ merchantId } = await addTestMerchant(world));
    // Nobody looks by the clock: whoever waits is found because somebody rang.
    judging = startJudging(world, { judge, confirm, pace: { poll: hour } });
    // The first look is over once this one is judged.
    await store('first');
    await waitFor('the first verdict', async () => (await rows())[0]?.verdict === 'forged');
    await world.sql`delete from alerts`;
    given = [];
  });
  afterEach(async () => {
    const goOn = setInterval(() => {
      for (const go of held.values()) go();
    }, 5);
    await judging.stop();
    clearInterval(goOn);
    await world.sql`delete from alerts`;
  });

  const mail = (text: string, merchant = merchantId) => ({
    merchantId: merchant,
    raw: Buffer.from(text),
    arrivedAt: world.clock.now(),
    foundIn: 'INBOX/1/1',
  });
  const store = (text: string, merchant = merchantId) =>
    storeMails(judging.workerSlots, storeMail => storeMail(world.sql, mail(text, merchant)));
  const rows = async () =>
    await world.sql<{ verdict: string; tries: number; claim: string | null }[]>`
      select verdict, tries, claim from alerts where merchant_id = ${merchantId} order by alert_id`;
  const texts = () => given.map(String);

  test('the process that stores a mail judges it from memory, and notifies no other', async () => {
    let notices = 0;
    const listener = await world.sql.listen(alertChannel, () => notices++);
    const one = mail('a mail');
    await storeMails(judging.workerSlots, storeMail => storeMail(world.sql, one));
    await waitFor('the verdict', async () => (await rows())[0]?.verdict === 'forged');
    assert.equal(given[0], one.raw);
    assert.deepEqual(await rows(), [{ verdict: 'forged', tries: 1, claim: null }]);
    await storeMails(null, storeMail => storeMail(world.sql, mail('one that nobody here judges')));
    await waitFor('the notice of the other', () => notices > 0);
    assert.equal(notices, 1);
    await listener.unlisten();
  });

  test('a mail is judged only after its commit: a rolled-back one is not judged, and its slot is free', async () => {
    for (let count = 0; count < 40; count++) {
      const storing = storeMails(judging.workerSlots, storeMail =>
        world.sql.begin(async tx => {
          await storeMail(tx, mail('a mail'));
          throw new Error('the power goes');
        }),
      );
      await assert.rejects(storing, /the power goes/);
    }
    assert.deepEqual([texts(), await rows()], [[], []]);
    await store('a mail');
    await waitFor('the verdict', async () => (await rows())[0]?.verdict === 'forged');
  });

  test('a mail that is stored again, or is too large to read, takes no slot', async () => {
    await store('flood');
    for (let count = 0; count < 40; count++) {
      assert.equal((await store('flood')).isNew, false);
      await store(`${count}${'x'.repeat(mostMailBytes)}`);
    }
    assert.deepEqual(texts(), ['flood']);
    await store('after them');
    await waitFor('its judge', () => texts().includes('after them'));
  });

  test('a process judges mails of several businesses, each for itself', async () => {
    const other = await addTestMerchant(world);
    await storeMails(judging.workerSlots, storeMail =>
      world.sql.begin(async tx => {
        await storeMail(tx, mail('to both'));
        await storeMail(tx, mail('to both', other.merchantId));
      }),
    );
    await waitFor('both verdicts', async () => {
      const all = await world.sql`select from alerts where verdict = 'forged'`;
      return all.length === 2;
    });
  });

  test('a flood leaves slots to others, and never delays a genuine mail that waits', async () => {
    const other = await addTestMerchant(world);
    for (let count = 0; count < 20; count++) await store(`flood ${count}`);
    await waitFor('the share of one', () => given.length === 12);
    await store('of another', other.merchantId);
    await waitFor('the other', () => texts().includes('of another'));
    await store('genuine');
    const [go] = [...held.values()];
    go?.();
    // A slot is free, and nobody of this business sits down on it but those who wait.
    const late = mail('flood that comes just then');
    await storeMails(judging.workerSlots, storeMail => storeMail(world.sql, late));
    await waitFor('one of those who waited', () => given.length > 13);
    assert.ok(!given.includes(late.raw));
    const goOn = setInterval(() => {
      for (const goes of held.values()) goes();
    }, 5);
    await waitFor('all of them', async () => (await rows()).every(row => row.verdict === 'forged'));
    clearInterval(goOn);
    assert.ok(texts().includes('genuine'));
  });

  test('a judge that dies is replaced after its lease', async () => {
    const lease = newLease(world.clock.now(), leaseFor);
    const dying = { offer: () => ({ lease, judge() {}, leave() {} }) };
    await storeMails(dying, storeMail => storeMail(world.sql, mail('a mail')));
    const nobodysYet = await judgeStoredMails(world, { judge, confirm });
    world.clock.advance(leaseFor);
    assert.deepEqual([nobodysYet, await judgeStoredMails(world, { judge, confirm })], [0, 1]);
    assert.deepEqual(await rows(), [{ verdict: 'forged', tries: 2, claim: null }]);
  });

  test('an address confirmed by a later mail of the same batch counts for this mail too', async () => {
    const seen: (readonly string[])[] = [];
    const asked: Judge = async (_, { addresses }) => {
      seen.push(addresses);
      return addresses.includes('extra@shop.example')
        ? forged
        : ({ ...undecided(because('no_text')), verdict: 'wrong_recipient' } as Judgement);
    };
    await judging.stop();
    judging = startJudging(world, { judge: asked, confirm, pace: { poll: hour } });
    await store('to nobody');
    await waitFor('the first verdict', async () => (await rows())[0]?.verdict === 'wrong_recipient');
    await world.sql`
      insert into extra_alert_addresses (merchant_id, address, added_at)
      values (${merchantId}, 'extra@shop.example', ${world.clock.now()})`;
    await storeMails(judging.workerSlots, storing =>
      world.sql.begin(async tx => {
        await storing(tx, mail('of the bank'));
        await tx`update extra_alert_addresses set confirmed_at = ${world.clock.now()} where merchant_id = ${merchantId}`;
      }),
    );
    await waitFor('the second verdict', async () => (await rows()).some(row => row.verdict === 'forged'));
    assert.ok(!seen.at(-2)!.includes('extra@shop.example'), 'judged from memory first');
  });

  test('a process that hangs after storing a mail delays no other mail, nor does an already stored one', async () => {
    const others = await Promise.all([1, 2].map(() => addTestMerchant(world)));
    const { promise: hang, resolve: go } = Promise.withResolvers<void>();
    const texts = Array.from({ length: 20 }, (_, n) => `known ${n}`);
    const slow = others.map(({ merchantId: other }) =>
      storeMails(judging.workerSlots, storing =>
        world.sql.begin(async tx => {
          for (const text of texts) await storing(tx, mail(text, other));
          await hang;
        }),
      ),
    );
    await store('genuine');
    await waitFor('the genuine one', () => given.some(raw => raw.toString() === 'genuine'));
    go();
    await Promise.all(slow);
  });
});
