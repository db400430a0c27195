import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { insertEntry } from '../../src/alerts/book/queries.ts';
import { day, later, systemClock } from '../../src/base/clock.ts';
import { version } from '../../src/base/version.ts';
import { checkDatabase } from '../../src/operator/doctor/check-database.ts';
import { savedEntries } from '../../src/operator/doctor/check-mail.ts';
import { checkRoutines } from '../../src/operator/doctor/check-routines.ts';
import type { Finding } from '../../src/operator/doctor/finding.ts';
import { noteRoutine } from '../../src/operator/queries.ts';
import { liveConfig } from '../support/live-config.ts';
import { openTestWorld } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const world = use(openTestWorld);
afterEach(async () => {
  await world.sql`delete from migrations where name like '9%' or name = '0000_before.sql'`;
});

const say = (finding: Finding | undefined) =>
  finding && `${finding.state}: ${finding.found}${finding.state === 'ok' ? '' : ` → ${finding.todo}`}`;
const schema = async () =>
  say(
    (await checkDatabase(world.sql, liveConfig({ DATABASE_URL: world.databaseUrl }))).find(
      one => one.what === 'schema',
    ),
  );
const migrated = (name: string, by: string | null, runsBeside: boolean) =>
  world.sql`insert into migrations (name, version, runs_beside) values (${name}, ${by}, ${runsBeside})`;

test('for a schema of a newer release the doctor names the release to install', async () => {
  assert.equal(await schema(), `ok: of this version`);
  await migrated('9001_later.sql', '9.0.0', false);
  assert.match(
    (await schema()) ?? '',
    /^fault: .*migrated by version 9\.0\.0 \(9001_later\.sql\) → install version 9\.0\.0 or newer here, or restore a backup/,
  );
});

test('for a schema of no release the doctor says so, and does not advise an update', async () => {
  await migrated('9001_trial.sql', version, false);
  const apart = (await schema()) ?? '';
  assert.match(apart, /^fault: .*migrated by another build of version .* \(9001_trial\.sql\) → /);
  assert.match(apart, /no release up to .* has these migrations: run that build here, or restore a backup/);
  assert.doesNotMatch(apart, /update|install/);
  await world.sql`update migrations set runs_beside = true where name = '9001_trial.sql'`;
  assert.match(
    (await schema()) ?? '',
    /^warning: .*another build of version .*, and this one may run next to it → no release/,
  );
  await migrated('0000_before.sql', version, true);
  assert.match(
    (await schema()) ?? '',
    /^fault: .*made by a build between two releases \(0000_before\.sql\).* → run that build again, restore a backup that a release wrote, or start with an empty database$/,
  );
});

test('a migration whose file differs from the applied one is a fault, as at every start', async () => {
  const [row] = await world.sql<{ checksum: string }[]>`
    update migrations set checksum = 'another' where name = '0036_processes_and_cells.sql' returning checksum`;
  assert.equal(row?.checksum, 'another');
  assert.match(
    (await schema()) ?? '',
    /^fault: migration 0036_processes_and_cells\.sql was changed after .* → /,
  );
});

test('each saved bank entry that is left out is named, with its reason and the repair', async () => {
  const { sql } = world;
  const save = (bank: string, entry: object) =>
    sql.begin(tx => insertEntry(tx, { bank, entry, note: '', saved_at: new Date(), saved_by: 'operator' }));
  assert.equal(say((await savedEntries(sql, liveConfig()))[0]), 'ok: all 0 saved entries are in use');
  await save('hdfc', { id: 'hdfc', senders: ['newalerts@hdfcbank.bank.in'] });
  assert.equal(say((await savedEntries(sql, liveConfig()))[0]), 'ok: all 1 saved entries are in use');
  const stolen = await save('axis', { id: 'axis', senders: ['alerts@hdfcbank.net'] });
  const unread = await save('hdfc', { id: 'hdfc', templates: 'none' });
  const partly = await save('hdfc', { id: 'hdfc', openings: ['Message from', 'Message from ━'] });
  const found = (await savedEntries(sql, liveConfig())).map(say);
  assert.equal(found.length, 3);
  assert.match(
    found[2] ?? '',
    new RegExp(`^warning: saved entry ${partly} of hdfc is used without a line: .* → keep it`),
  );
  assert.match(
    found[0] ?? '',
    new RegExp(
      `^fault: saved entry ${stolen} of axis is left out: .*alerts@hdfcbank\\.net belongs to the bank "hdfc" already → .*screen Banks`,
    ),
  );
  assert.match(found[1] ?? '', new RegExp(`^fault: saved entry ${unread} of hdfc is left out: .*templates`));
  await sql`update bank_entries set removed_at = now() where entry_id in ${sql([stolen, unread, partly])}`;
  assert.equal(say((await savedEntries(sql, liveConfig()))[0]), 'ok: all 1 saved entries are in use');
});

test('for a routine that is overdue or never ran, the advice names a timer only under systemd', async () => {
  const { sql } = world;
  const look = async (hasSystemd: boolean, env = {}) =>
    (await checkRoutines(sql, liveConfig(env), hasSystemd)).map(one => `${one.what} ${say(one)}`).join('\n');
  assert.match(
    await look(true),
    /^backup fault: never ran → set BACKUP_KEY, then systemctl enable --now milaan-backup\.timer$/m,
  );
  assert.match(
    await look(false),
    /^backup fault: never ran → set BACKUP_KEY, then run milaan backup every night, for example by cron/m,
  );
  const late = { now: later(systemClock.now(), -2 * day), succeeded: true, details: '' };
  await noteRoutine(sql, { routine: 'backup', ...late });
  await noteRoutine(sql, { routine: 'verify', ...late });
  assert.match(
    await look(true),
    /^verify warning: last ran 48 hours ago → check its timer \(systemctl list-timers milaan-verify\.timer\)$/m,
  );
  const without = await look(false, {
    BACKUP_KEY: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  });
  assert.match(without, /^backup warning: last ran 48 hours ago → find out why .*milaan backup.* cron/m);
  assert.match(without, /^verify warning: last ran 48 hours ago → find out why .*milaan verify.* cron/m);
  assert.doesNotMatch(without, /systemctl|timer/);
});
