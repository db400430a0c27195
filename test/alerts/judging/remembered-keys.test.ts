import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countWithdrawn } from '../../../src/alerts/judging/queries/keys.ts';
import { remembered, rememberedKeys } from '../../../src/alerts/judging/remembered-keys.ts';
import { day, hour, later, minute } from '../../../src/base/clock.ts';
import { DnsError } from '../../../src/base/network/dns.ts';
import { openTestWorld, type TestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

describe('DKIM keys', () => {
  let asked = 0;
  let away = false;
  const world = use(openTestWorld);
  prepare(async () => {
    const { lookupText } = world.dns;
    world.dns.lookupText = async name => {
      asked++;
      if (away) throw new DnsError('temporary', 'DNS is away');
      return await lookupText(name);
    };
  });

  const record = 'v=DKIM1; k=rsa; p=AAAA';

  test('DKIM keys come from DNS, are fetched once in five minutes, and are remembered', async () => {
    const keys = rememberedKeys(world);
    world.dns.texts.set('s1._domainkey.bank.example', [record]);
    for (let times = 0; times < 5; times++) {
      assert.deepEqual(await keys.ask('S1._domainkey.bank.example', 'bank'), { kind: 'found', record });
    }
    assert.equal(asked, 1);
    const rows = await world.sql`select record from dkim_keys where name = 's1._domainkey.bank.example'`;
    assert.deepEqual(
      rows.map(row => row['record']),
      [record],
    );
  });

  test('a key that left DNS still verifies a mail that arrived within two days, and none after that', async () => {
    world.clock.advance(hour);
    await rememberedKeys(world).ask('s1._domainkey.bank.example', 'bank');
    const seen = world.clock.now();
    world.dns.texts.delete('s1._domainkey.bank.example');
    world.clock.advance(5 * minute);
    const keys = rememberedKeys(world);
    const ask = (arrived: Date) => keys.ask('s1._domainkey.bank.example', 'bank', arrived);
    assert.deepEqual(await ask(later(seen, remembered)), { kind: 'found', record });
    assert.deepEqual(await ask(later(seen, remembered + 1)), { kind: 'not_found' });
    away = true;
    world.clock.advance(5 * minute);
    assert.deepEqual(await ask(later(seen, remembered)), { kind: 'found', record });
    assert.deepEqual(await ask(later(seen, remembered + 1)), { kind: 'temporary' });
    away = false;
  });

  test('keys of unlisted domains are not remembered', async () => {
    const keys = rememberedKeys(world);
    world.dns.texts.set('s._domainkey.stranger.example', [record]);
    assert.deepEqual(await keys.ask('s._domainkey.stranger.example', 'unlisted'), { kind: 'found', record });
    assert.equal((await world.sql`select from dkim_keys where name like '%stranger%'`).length, 0);
    world.clock.advance(5 * minute);
    assert.deepEqual(await keys.ask('s1._domainkey.bank.example', 'unlisted'), { kind: 'not_found' });
  });

  test('a remembered key is checked every day, so that its memory ends when the key was removed', async () => {
    const keys = rememberedKeys(world);
    world.dns.texts.set('s1._domainkey.bank.example', [record]);
    world.clock.advance(2 * day);
    const before = asked;
    await keys.refresh();
    await keys.refresh();
    assert.equal(asked - before, 1);
    const [row] = await world.sql`select last_seen from dkim_keys where name = 's1._domainkey.bank.example'`;
    assert.deepEqual(row!['last_seen'], world.clock.now());
  });

  test('a key that could not be stored is fetched again', async () => {
    const shaky = { ...world, sql: (() => Promise.reject(new Error('away'))) as unknown as TestWorld['sql'] };
    const keys = rememberedKeys(shaky);
    world.dns.texts.set('s2._domainkey.bank.example', [record]);
    await assert.rejects(keys.ask('s2._domainkey.bank.example', 'bank'));
    shaky.sql = world.sql;
    assert.deepEqual(await keys.ask('s2._domainkey.bank.example', 'bank'), { kind: 'found', record });
  });

  test('a key seen once is not used after DNS says that there is none, but is used while DNS is unavailable', async () => {
    const name = 's5._domainkey.bank.example';
    world.dns.texts.set(name, [record]);
    assert.equal((await rememberedKeys(world).ask(name, 'bank')).kind, 'found');
    world.dns.texts.delete(name);
    world.clock.advance(5 * minute);
    assert.deepEqual(await rememberedKeys(world).ask(name, 'bank'), { kind: 'not_found' });
    away = true;
    assert.deepEqual(await rememberedKeys(world).ask(name, 'bank'), { kind: 'found', record });
    away = false;
  });

  test('a withdrawn key is not revived by a missing record, a DNS failure, a new key or a restart', async () => {
    for (const [selector, withdrawal] of ['v=DKIM1; p=', 'p=', 'k=rsa; p = ; t=s', 'v=DKIM1;p=;'].entries()) {
      const name = `w${selector}._domainkey.bank.example`;
      const other = `other${selector}._domainkey.bank.example`;
      // Each question is another process, or the same one after a restart.
      const ask = (asked = name) => rememberedKeys(world).ask(asked, 'bank');
      const publish = (...texts: string[]) => world.dns.texts.set(name, texts);
      publish(record);
      world.dns.texts.set(other, [record]);
      await Promise.all([ask(), ask(other)]);
      world.clock.advance(2 * hour);
      await Promise.all([ask(), ask(other)]);
      publish(withdrawal);
      world.clock.advance(minute);
      assert.deepEqual(await ask(), { kind: 'found', record: withdrawal });
      assert.equal(await countWithdrawn(world.sql, later(world.clock.now(), -remembered)), 1, withdrawal);
      world.dns.texts.delete(other);
      world.clock.advance(minute);
      publish();
      assert.deepEqual(await ask(), { kind: 'not_found' }, withdrawal);
      assert.deepEqual(await ask(other), { kind: 'found', record }, 'another selector of the bank');
      away = true;
      assert.deepEqual(await ask(), { kind: 'temporary' }, withdrawal);
      away = false;
      publish('v=DKIM1; p=BBBB');
      assert.deepEqual(await ask(), { kind: 'found', record: 'v=DKIM1; p=BBBB' }, withdrawal);
      assert.equal(await countWithdrawn(world.sql, later(world.clock.now(), -remembered)), 0);
    }
  });

  test('a withdrawn key that DNS publishes again counts at once, and from memory after an hour', async () => {
    const name = 'w9._domainkey.bank.example';
    const ask = () => rememberedKeys(world).ask(name, 'bank');
    const found = { kind: 'found', record };
    for (const texts of [[record], [record], ['v=DKIM1; p='], [record]]) {
      world.dns.texts.set(name, texts);
      await ask();
      world.clock.advance(2 * hour);
    }
    // A process whose resolver still had the old key wrote it half an hour after the withdrawal.
    await world.sql`update dkim_keys set last_seen = ${later(world.clock.now(), -3.5 * hour)} where name = ${name} and record = ${record}`;
    world.dns.texts.delete(name);
    assert.deepEqual(await ask(), { kind: 'not_found' });
    away = true;
    assert.deepEqual(await ask(), { kind: 'temporary' });
    away = false;
    world.dns.texts.set(name, [record]);
    assert.deepEqual(await ask(), found);
    world.dns.texts.delete(name);
    assert.deepEqual(await ask(), found);
  });

  test('a remembered key needs no DNS query, gives the same answer, and lasts no longer', async () => {
    const name = 's9._domainkey.bank.example';
    const keys = rememberedKeys(world);
    const now = () => world.clock.now();
    world.dns.texts.set(name, [record]);
    assert.equal(keys.known(name, now()), null);
    const asking = keys.ask(name, 'bank');
    assert.equal(keys.known(name, now()), null, 'while DNS is asked nothing is known');
    assert.deepEqual(await asking, { kind: 'found', record });
    const before = asked;
    assert.deepEqual(keys.known(name, now()), { kind: 'found', record });
    // Established, replaced under its name, withdrawn.
    world.clock.advance(2 * hour);
    assert.equal(keys.known(name, now()), null, 'after five minutes DNS is to be asked');
    await keys.ask(name, 'bank');
    for (const texts of [['v=DKIM1; p=BBBB'], ['v=DKIM1; p='], []]) {
      world.clock.advance(5 * minute);
      world.dns.texts.set(name, texts);
      for (const arrivedAt of [now(), later(now(), 3 * day)])
        assert.deepEqual(await keys.ask(name, 'bank', arrivedAt), keys.known(name, arrivedAt));
    }
    world.clock.advance(2000);
    assert.equal(keys.known(name, now()), null, 'a key that is missing is asked for every second');
    await keys.ask('s8._domainkey.bank.example', 'unlisted');
    assert.equal(keys.known('s8._domainkey.bank.example', now()), null);
    assert.equal(asked - before, 5);
  });
});
