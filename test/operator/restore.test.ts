import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeGap, restoreCommand } from '../../src/operator/backup/restore.ts';
import { addForwardingShop } from '../support/forwarding-stage.ts';
import { needs } from '../support/needs.ts';
import { openMailWorld } from '../support/test-mailbox.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const file = '/mnt/copies/milaan-2026-11-15T023012Z.dump.age';
const now = new Date('2026-11-18T13:30:00Z');
const gap = async (from = file) => (await describeGap(world.sql, from, now)).join('\n');

const world = use(openMailWorld);

test('a restore reports the time span without alerts, from the backup’s name', async () => {
  assert.equal(
    await gap(),
    'not in it: everything from 2026-11-15T02:30:12.000Z (the backup) until the database was lost, 2026-11-18T13:30:00.000Z (now) at the latest',
  );
  assert.match(await gap('renamed.age'), /^not in it: everything from the moment of the backup until /);
});

test('a restore names the businesses that only forward alerts, whose lost alerts are in no mailbox', async () => {
  await addTestMerchant(world);
  const both = await addForwardingShop(world);
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, host, port, username, credential, revision, connected_at)
    values (${both.merchantId}, 'other', 'shop@example.in', 'imap.example.in', 993, 'shop', '', 1, now())`;
  const only = await addForwardingShop(world);
  await world.sql`update merchants set name = 'Chai Point' where merchant_id = ${only.merchantId}`;
  const leaving = await addForwardingShop(world);
  await world.sql`update merchants set deletion_requested_at = now() where merchant_id = ${leaving.merchantId}`;
  const [, who = '', todo = ''] = (await gap()).split('\n');
  assert.match(
    who,
    new RegExp(
      `^mailboxes are read again; 1 businesses receive alerts by forwarding only, .*: ${only.merchantId} Chai Point$`,
    ),
  );
  assert.match(todo, /bank's statement/);
});

test('the list is limited, and an older backup without forwarding has none', async () => {
  for (let more = 0; more < 21; more++) await addForwardingShop(world);
  const [, who = ''] = (await gap()).split('\n');
  assert.match(who, /; 22 businesses /);
  assert.match(who, /and 2 more$/);
  assert.equal(who.split(', ').length, 21 + 1);
  await world.sql`drop table forward_addresses cascade`;
  assert.equal((await gap()).split('\n').length, 1);
});

needs('age').test(
  'a backup that is no dump ends the restore with an error, however long it is',
  {
    timeout: 40_000,
  },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'milaan-restore-'));
    const [identity, backup] = [join(folder, 'key'), join(folder, 'backup.age')];
    execFileSync('age-keygen', ['--output', identity], { stdio: 'ignore' });
    const recipient = String(execFileSync('age-keygen', ['-y', identity])).trim();
    // More than a pipe holds: age waits for somebody who reads it.
    execFileSync('age', ['--recipient', recipient, '--output', backup], { input: randomBytes(4_000_000) });
    const config = { ...world.config, databaseUrl: world.databaseUrl };
    const into = `restored_${process.pid}`;
    const options = { file: backup, identity, into };
    if (restoreCommand.needs === 'settings')
      await assert.rejects(restoreCommand.run(config, options), /^Error: pg_restore/);
    const other = { ...options, into: `${into}_b`, identity: backup };
    if (restoreCommand.needs === 'settings')
      await assert.rejects(restoreCommand.run(config, other), /^Error: age failed/);
    await world.sql.unsafe(`drop database ${into}`);
    await world.sql.unsafe(`drop database ${into}_b`);
    rmSync(folder, { recursive: true });
  },
);
