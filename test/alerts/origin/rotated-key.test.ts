import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { remembered, rememberedKeys } from '../../../src/alerts/judging/remembered-keys.ts';
import { type Judges, startJudges } from '../../../src/alerts/judging/start-judges.ts';
import { day, hour, minute, second } from '../../../src/base/clock.ts';
import { sentence, testBank } from '../../support/alert-banks.ts';
import { linesWith } from '../../support/genuine-alert.ts';
import { type MailKey, mailKey, signMail } from '../../support/signed-mail.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const name = 's1._domainkey.test.bank.in';
const [old, fresh, foreign] = ['old', 'fresh', 'foreign'].map(which => mailKey(1024, which)) as [
  MailKey,
  MailKey,
  MailKey,
];

describe('a key that was replaced under its own name', () => {
  let judges: Judges;
  let asked = 0;
  const world = use(openTestWorld);
  prepare(async () => {
    const { lookupText } = world.dns;
    world.dns.lookupText = async one => {
      asked++;
      return await lookupText(one);
    };
  });
  after(async () => {
    await judges.close();
  });
  beforeEach(async () => {
    await judges?.close();
    await world.sql`delete from dkim_keys`;
    judges = startJudges({
      banks: () => [testBank()],
      keys: rememberedKeys(world).ask,
      log: { error: () => {} },
      threads: 1,
    });
  });

  async function judge(key: MailKey): Promise<string> {
    const now = world.clock.now();
    const lines = linesWith({ Date: now.toUTCString() });
    const tags = [`t=${Math.floor(now.getTime() / second)}`];
    const raw = signMail(lines, `${sentence}\r\n`, { domain: 'test.bank.in', key, tags });
    const mail = { addresses: ['merchant@shop.in'], arrivedAt: now, now };
    return (await judges.judge(raw, mail)).verdict;
  }
  const publish = (...records: string[]) => world.dns.texts.set(name, records);

  test('a new key verifies its first mail, however recently the old key was fetched', async () => {
    publish(old.record);
    assert.equal(await judge(old), 'credit');
    publish(fresh.record);
    world.clock.advance(2 * second);
    assert.equal(await judge(fresh), 'credit');
  });

  test('a replaced key’s mails stay valid for two days, and not longer', async () => {
    publish(old.record);
    assert.equal(await judge(old), 'credit');
    world.clock.advance(2 * hour);
    assert.equal(await judge(old), 'credit');
    publish(fresh.record);
    world.clock.advance(day);
    assert.equal(await judge(fresh), 'credit');
    assert.equal(await judge(old), 'credit');
    world.clock.advance(remembered - day + minute);
    assert.equal(await judge(old), 'retrying');
    assert.equal(await judge(fresh), 'credit');
  });

  test('a key seen in DNS only for a moment keeps no such time: its owner may be an attacker', async () => {
    publish(foreign.record);
    assert.equal(await judge(foreign), 'credit');
    publish(fresh.record);
    world.clock.advance(6 * minute);
    assert.equal(await judge(fresh), 'credit');
    assert.equal(await judge(foreign), 'retrying');
  });

  test('a withdrawal of the new key also ends the old one', async () => {
    publish(old.record);
    await judge(old);
    world.clock.advance(2 * hour);
    await judge(old);
    publish('v=DKIM1; p=');
    world.clock.advance(6 * minute);
    assert.equal(await judge(old), 'retrying');
    publish();
    world.clock.advance(6 * minute);
    assert.equal(await judge(old), 'retrying');
    publish(fresh.record);
    world.clock.advance(2 * second);
    assert.equal(await judge(fresh), 'credit');
    assert.equal(await judge(old), 'retrying');
    world.clock.advance(2 * second);
    publish(old.record);
    assert.equal(await judge(old), 'credit');
  });

  test('a key withdrawn by mistake counts again from the first mail after DNS has it', async () => {
    publish(old.record);
    await judge(old);
    publish('v=DKIM1; p=');
    world.clock.advance(6 * minute);
    assert.equal(await judge(old), 'retrying');
    publish(old.record);
    world.clock.advance(2 * second);
    assert.equal(await judge(old), 'credit');
  });

  test('old and new key may both be in DNS for a while, in either order', async () => {
    for (const records of [
      [old.record, fresh.record],
      [fresh.record, 'some other text', old.record],
    ]) {
      publish(...records);
      world.clock.advance(6 * minute);
      assert.equal(await judge(old), 'credit');
      assert.equal(await judge(fresh), 'credit');
      assert.equal(await judge(foreign), 'retrying');
    }
  });

  test('a flood of forgeries under a replaced key does not flood DNS', async () => {
    publish(old.record);
    await judge(old);
    world.clock.advance(2 * second);
    const before = asked;
    for (let times = 0; times < 20; times++) assert.equal(await judge(foreign), 'retrying');
    assert.equal(asked - before, 1);
  });
});
