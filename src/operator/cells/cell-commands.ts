import type { Cells } from '../../base/cells.ts';
import { second } from '../../base/clock.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import type { Command } from '../command.ts';
import { describeDatabase } from '../describe-installation.ts';
import { selectStandbys } from '../queries.ts';
import { addCell } from './add-cell.ts';
import { inEachCell } from './in-each-cell.ts';
import { cellOf, findLeftOvers, inMegabytes, moveInside, takeBack, tidy } from './move-inside.ts';
import { countRows, selectFigures } from './queries.ts';
import { settleRestored } from './settle-restored.ts';

const say = (line: string) => console.log(line);

export const cellCommands: Record<string, Command> = {
  'cells list': {
    needs: 'database',
    summary:
      'the databases of this installation: businesses, orders of a day, bytes, how far a standby is behind',
    everyCell: true,
    options: {},
    run: listCells,
  },
  'cells add': {
    needs: 'database',
    summary:
      'prepare an empty PostgreSQL as a further cell, and write the CELLS_FILE in which it takes new businesses',
    file: 'the address of the new database, such as postgres://milaan:password@10.0.0.3/milaan',
    argument: 'url',
    options: {
      into: { meaning: 'the file to write, where there is no CELLS_FILE yet' },
      citus: {
        meaning: 'the address names a schema of a Citus cluster, which is made and distributed',
        flag: true,
      },
    },
    run: add,
  },
  'cells move-business': {
    needs: 'database',
    summary: 'move a business to another cell; it stands still meanwhile, and whoever was killed begins anew',
    file: 'the id of the business, as list-businesses prints it',
    argument: 'id',
    second: 'cell',
    options: {
      'dry-run': { meaning: 'tell what would move, and do nothing', flag: true },
      undo: { meaning: 'open it again where it was, after a move that did not end', flag: true },
    },
    run: move,
  },
  'cells tidy': {
    needs: 'database',
    summary: 'remove what moves of more than a day ago have left where businesses were',
    options: {},
    run: tidyAll,
  },
  'cells settle': {
    needs: 'database',
    summary: 'after one cell was restored from a backup: what moved since then stays where it went',
    file: 'the number of the cell that was restored',
    argument: 'cell',
    options: {},
    async run(world, { file }) {
      const cells = several(world);
      for (const line of await settleRestored(cells, cellOf(cells, Number(file)))) console.log(line);
      console.log('every business is open in one cell alone');
      return 0;
    },
  },
};

async function listCells(world: World): Promise<number> {
  const { cells, config } = world;
  const urls = config.cells?.urls ?? [config.databaseUrl ?? ''];
  const found = await inEachCell(world, async one => ({
    ...(await selectFigures(one.sql, one.clock.now())),
    ...(await selectStandbys(one.sql)),
    // Cell 0 alone knows them, and may be away.
    left: cells ? await findLeftOvers(cells, one).catch(() => []) : [],
  }));
  for (const [number, figures] of found.entries()) {
    const name = `cell ${number}  ${urls[number] ? describeDatabase(urls[number]) : 'of the sandbox'}`;
    if (!figures) {
      console.log(`${name}  AWAY: its businesses alone are told to come again`);
      continue;
    }
    const { businesses, orders_a_day, bytes, standbys, lag_seconds, left } = figures;
    const behind =
      lag_seconds === null ? '(pg_monitor shows how far behind)' : `${lag_seconds.toFixed(1)} s behind`;
    const standby = standbys === 0 ? 'no standby' : `standby ${behind}`;
    const takesNew = cells && config.cells?.newCell === number ? ', new businesses come here' : '';
    console.log(
      `${name}  ${businesses} businesses, ${orders_a_day} orders in a day, ${inMegabytes(bytes)}, ${standby}${takesNew}`,
    );
    if (left.length > 0)
      console.log(
        `        ${left.length} were moved away and are still here; they go when they are a day old`,
      );
  }
  if (!cells) console.log('there is one database; cells add prepares a second one');
  return found.includes(null) ? 1 : 0;
}

async function add(world: World, options: Record<string, string>): Promise<number> {
  const { file: url = '', into, citus } = options;
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new StartError('the address must look like postgres://user:password@host:5432/name');
  if (world.config.mode !== 'live') throw new StartError('a sandbox has one database');
  const file = into ?? world.config.cells?.file;
  if (file === undefined)
    throw new StartError(
      'there is no CELLS_FILE yet: say by --into where to write it, such as /etc/milaan/cells.json',
    );
  await addCell(world, url, file, say, { citus: citus !== undefined });
  console.log(`${file} is written${world.config.cells ? '; the one before is beside it (.before)' : ''}`);
  console.log(
    world.cells
      ? 'Copy it to every machine and restart the processes, one after the other. Until then they go on as before, and answer 503 for businesses of the new cell.'
      : `Copy it to every machine, set CELLS_FILE=${file} there instead of DATABASE_URL, and restart every process at once: one that knows of no cells takes a business of the new one for a stranger.`,
  );
  return 0;
}

function several({ cells }: World): Cells {
  if (!cells) throw new StartError('there is one database: cells add prepares a second one');
  return cells;
}

async function move(world: World, options: Record<string, string>): Promise<number> {
  const cells = several(world);
  const [merchantId, to] = [Number(options['file']), Number(options['second'])];
  if (!Number.isSafeInteger(merchantId) || merchantId <= 0)
    throw new StartError(`there is no business ${options['file']}`);
  cellOf(cells, to);
  if (options['undo'] !== undefined) {
    await takeBack(cells, { merchantId, to });
    console.log(`business ${merchantId} is open again where it was`);
    return 0;
  }
  if (options['dry-run'] !== undefined) return await tellMove(cells, merchantId, to);
  try {
    const silent = await moveInside(cells, { merchantId, to }, say);
    console.log(
      `business ${merchantId} is in cell ${to}; it stood still for ${(silent / second).toFixed(1)} s. What is left of it in its old cell stays for a day as a fence (cells tidy)`,
    );
    return 0;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    throw new StartError(
      `a database went away (${(error as Error).message}). If the business stands still it does so until this command is run again, or run with --undo`,
    );
  }
}

async function tellMove(cells: Cells, merchantId: number, to: number): Promise<number> {
  const source = cells.of(merchantId);
  const { rows, bytes, largest } = await countRows(source.sql, merchantId);
  if (rows === 0) throw new StartError(`there is no business ${merchantId}`);
  const where =
    source.cell === to ? `is in cell ${to} already` : `would go from cell ${source.cell} to cell ${to}`;
  const most = largest.map(one => `${one.rows} ${one.table.replaceAll('_', ' ')}`).join(', ');
  console.log(
    `business ${merchantId} ${where}: ${rows} rows, ${inMegabytes(bytes)} (${most}). Nothing was done`,
  );
  return 0;
}

async function tidyAll(world: World): Promise<number> {
  const cells = several(world);
  const removed = await inEachCell(world, one => tidy(cells, one));
  for (const [number, ids] of removed.entries())
    console.log(
      ids === null
        ? `cell ${number}  AWAY`
        : `cell ${number}  ${ids.length === 0 ? 'nothing to remove' : `removed ${ids.join(', ')}`}`,
    );
  return removed.includes(null) ? 1 : 0;
}
