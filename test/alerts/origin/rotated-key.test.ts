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

  test('verifies the first mail that it signs, however lately the old one was asked for', async () => {
    publish(old.record);
    assert.equal(await judge(old), 'credit');
    publish(fresh.record);
    world.clock.advance(2 * second);
    assert.equal(await judge(fresh), 'credit');
  });

  test('leaves the mails of the old one valid for two days, and not longer', async () => {
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

  test('leaves nothing to one that DNS gave for a moment only: its owner may be a liar', async () => {
    publish(foreign.record);
    assert.equal(await judge(foreign), 'credit');
    publish(fresh.record);
    world.clock.advance(6 * minute);
    assert.equal(await judge(fresh), 'credit');
    assert.equal(await judge(foreign), 'retrying');
  });

  test('and withdrawn takes the old one with it', async () => {
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

  test('and withdrawn by mistake counts with the first mail after DNS has it again', async () => {
    publish(old.record);
    await judge(old);
    publish('v=DKIM1; p=');
    world.clock.advance(6 * minute);
    assert.equal(await judge(old), 'retrying');
    publish(old.record);
    world.clock.advance(2 * second);
    assert.equal(await judge(old), 'credit');
  });

  test('may stand next to the old one for a while, in whichever order DNS gives them', async () => {
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

  test('does not let a flood of forgeries flood DNS', async () => {
    publish(old.record);
    await judge(old);
    world.clock.advance(2 * second);
    const before = asked;
    for (let times = 0; times < 20; times++) assert.equal(await judge(foreign), 'retrying');
    assert.equal(asked - before, 1);
  });
});
