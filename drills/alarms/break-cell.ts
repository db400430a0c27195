import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { startReady } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { debianPostgres, startPrimary, startStandby } from '../standby/postgres.ts';
import { fires } from './fires.ts';
import { scrape } from './scrape.ts';
import type { Rings } from './stage.ts';

const lag = 'milaan_standby_lag_seconds{cell="1"';
const patience = 120_000;

/** Two cells: the standby of the second stops replaying, then its server goes down. Alarms ring for cell 1 alone. */
export async function breakCell(
  { folder, onEnd, see, rings }: Stage & { rings: Rings },
  { PORT: _, DATABASE_URL: __, ...env }: Record<string, string>,
): Promise<void> {
  const bin = debianPostgres() ?? '';
  const [first, second] = [
    await startPrimary(bin, join(folder, 'cell-0')),
    await startPrimary(bin, join(folder, 'cell-1')),
  ];
  const standby = await startStandby(bin, join(folder, 'standby-1'), second);
  onEnd(() => Promise.all([first, standby, second].map(server => server.stop())));
  const file = join(folder, 'cells.json');
  const ranges = [
    { from: 0, cell: 0 },
    { from: 2 ** 47, cell: 1 },
  ];
  writeFileSync(file, JSON.stringify({ cells: [first.url, second.url], new: 1, ranges }));
  const program = await startReady(folder, { env: { ...env, CELLS_FILE: file }, args: ['web', 'deliver'] });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const look = () => scrape(program.url, env['METRICS_TOKEN'] ?? '');
  await waitFor(
    'the standby in the metrics',
    async () => [...(await look()).keys()].some(name => name.startsWith(lag)),
    patience,
  );
  const calm = await look();
  const staysSilent = async (alarm: string) => {
    const text = fires(folder, alarm, calm, await look(), 0);
    see(`${alarm} does not ring for cell 0`, text !== null);
  };

  const sql = connect(second.url, { most: 1 });
  await standby.run('select pg_wal_replay_pause()');
  await rings('MilaanStandbyLag', 'the standby of cell 1 replays nothing', calm, look, { sql, cell: 1 });
  await sql.end();
  await staysSilent('MilaanStandbyLag');

  await second.kill();
  await rings('MilaanNotReady', 'the server of cell 1 is down', calm, look, { sql, cell: 1 });
  await staysSilent('MilaanNotReady');
}
