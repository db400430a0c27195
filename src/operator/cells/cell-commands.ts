import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import type { Command } from '../command.ts';
import { selectStandbys } from '../queries.ts';
import { describeDatabase } from '../running/describe-installation.ts';
import { addCell, writeMap } from './add-cell.ts';
import { inEachCell } from './in-each-cell.ts';
import { selectFigures } from './queries.ts';

const say = (line: string) => console.log(line);

export const cellCommands: Record<string, Command> = {
  'list-cells': {
    needs: 'database',
    summary: "list the cells: businesses, orders per day, bytes, and the standby's lag",
    everyCell: true,
    run: listCells,
  },
  'add-cell': {
    needs: 'database',
    summary: 'prepare an empty PostgreSQL as a further cell, and write it into CELLS_FILE',
    positionals: {
      url: 'the address of the new database, such as postgres://milaan:password@10.0.0.3/milaan',
    },
    options: {
      into: { meaning: 'the file to write, if there is no CELLS_FILE yet' },
    },
    run: add,
  },
  'open-cell': {
    needs: 'database',
    summary: 'make this the cell for new businesses, in CELLS_FILE',
    positionals: { cell: 'the number of the cell, as list-cells prints it' },
    run: openCell,
  },
};

async function listCells(world: World): Promise<number> {
  const { cells, config } = world;
  const urls = config.cells?.urls ?? [config.databaseUrl ?? ''];
  const found = await inEachCell(world, async one => ({
    ...(await selectFigures(one.sql, one.clock.now())),
    ...(await selectStandbys(one.sql)),
  }));
  for (const [number, figures] of found.entries()) {
    const name = `cell ${number}  ${urls[number] ? describeDatabase(urls[number]) : 'of the sandbox'}`;
    if (!figures) {
      console.log(`${name}  DOWN: only its businesses get 503`);
      continue;
    }
    const { businesses, orders_a_day, bytes, standbys, lag_seconds } = figures;
    const behind =
      lag_seconds === null ? '(pg_monitor shows how far behind)' : `${lag_seconds.toFixed(1)} s behind`;
    const standby = standbys === 0 ? 'no standby' : `standby ${behind}`;
    const takesNew = cells && config.cells?.newCell === number ? ', new businesses come here' : '';
    console.log(
      `${name}  ${businesses} businesses, ${orders_a_day} orders in a day, ${(bytes / 1e6).toFixed(1)} MB, ${standby}${takesNew}`,
    );
  }
  if (!cells) console.log('there is one database; add-cell prepares a second one');
  return found.includes(null) ? 1 : 0;
}

async function add(world: World, options: Record<string, string>): Promise<number> {
  const { url = '', into } = options;
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new StartError('the address must look like postgres://user:password@host:5432/name');
  if (world.config.mode !== 'live') throw new StartError('a sandbox has one database');
  const file = into ?? world.config.cells?.file;
  if (file === undefined)
    throw new StartError(
      'there is no CELLS_FILE yet: name the file with --into, such as /etc/milaan/cells.json',
    );
  await addCell(world, url, file, say);
  console.log(`${file} is written${world.config.cells ? '; the previous one is next to it (.before)' : ''}`);
  console.log(
    world.cells
      ? 'Copy it to every machine and restart the processes, one after the other. Until then some new businesses get 503. Then open-cell lets new businesses come to the new cell.'
      : `Copy it to every machine, set CELLS_FILE=${file} there instead of DATABASE_URL, and restart every process at once. Then open-cell lets new businesses come to the new cell.`,
  );
  return 0;
}

async function openCell({ config, cells }: World, { cell = '' }: Record<string, string>): Promise<number> {
  const map = config.cells;
  if (!map || !cells) throw new StartError('there is one database: add-cell prepares a second one');
  const number = Number(cell);
  if (!/^\d+$/.test(cell) || !map.urls[number])
    throw new StartError(`there is no cell ${cell}: they are 0 to ${map.urls.length - 1}`);
  await cells.awaited(number);
  // Throws if the cell has no ids left.
  cells.newId(number);
  writeMap(map.file, { ...map, newCell: number });
  console.log(`${map.file} is written; the previous one is next to it (.before)`);
  console.log(
    `Copy it to every machine and restart the processes, one after the other. New businesses come to cell ${number} from then on.`,
  );
  return 0;
}
