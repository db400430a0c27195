import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/base/database/connect.ts';
import { startReady } from '../../test/support/program.ts';
import type { TestDatabase } from '../../test/support/test-database.ts';
import type { Stage } from '../play-drill.ts';
import { scrape } from './scrape.ts';
import type { Rings } from './stage.ts';

const endOthers =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** The machine's clock is set, then machine's and database's together; afterwards the database's is right again. */
export async function setClocks(
  { folder, onEnd, rings }: Pick<Stage, 'folder' | 'onEnd'> & { rings: Rings },
  env: Record<string, string>,
  database: TestDatabase,
): Promise<void> {
  const clockFile = join(folder, 'clock');
  writeFileSync(clockFile, '0');
  const shifted = await startReady(folder, {
    env: {
      ...env,
      DRILL_CLOCK_FILE: clockFile,
      NODE_OPTIONS: `--import=${resolve('drills/faults/shifted-clock.ts')}`,
    },
    args: ['web'],
  });
  onEnd(async () => {
    shifted.child.kill('SIGTERM');
    await shifted.ended;
  });
  const look = () => scrape(shifted.url, env['METRICS_TOKEN'] ?? '');
  await sleep(11_000);
  const inTime = await look();
  writeFileSync(clockFile, '15000');
  await rings('MilaanClockWrong', 'the clock of the machine was set by 15 s', inTime, look);
  writeFileSync(clockFile, '300000');
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`
    create function public.clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() + interval '300 seconds' $$;
    alter database ${name} set search_path = public, pg_catalog;
    ${endOthers}`);
  await rings(
    'MilaanClockSet',
    'the clocks of machine and database were set together by five minutes',
    inTime,
    look,
  );
  const admin = connect(database.url, { most: 1 });
  await admin.unsafe(`alter database ${name} reset search_path; drop function public.clock_timestamp()`);
  await admin.unsafe(endOthers);
  await admin.end();
}
