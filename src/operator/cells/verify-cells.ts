import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import type { Command } from '../command.ts';
import { verifyDatabase } from '../verify.ts';
import { inEachCell } from './in-each-cell.ts';
import { selectOpen } from './queries.ts';

export const verifyCommand: Command = {
  needs: 'database',
  summary:
    'check the rules that must never break over the whole database, or every cell; exit code 1 on a breach',
  options: {},
  run: verifyAll,
};

/** One after the other, cell 0 first; then what no cell can tell alone. A cell that is away is a breach: nobody knows. */
async function verifyAll(world: World): Promise<number> {
  if (!world.cells) return await verifyDatabase(world);
  let code = 0;
  for (const one of world.cells.worlds) {
    console.log(`cell ${one.cell}`);
    code = Math.max(
      code,
      await verifyDatabase(one).catch(error => {
        // A new one holds nobody yet.
        console.log(`  ${(error as Error).message}`);
        return error instanceof StartError ? 0 : 1;
      }),
    );
  }
  const broken = await misplaced(world);
  console.log(
    `${broken.length === 0 ? 'holds ' : 'BROKEN'}  each business is open in one cell alone, where it is looked for`,
  );
  for (const line of broken) console.log(`          ${line}`);
  return broken.length === 0 ? code : 1;
}

async function misplaced(world: World): Promise<string[]> {
  const cells = world.cells!;
  await cells.look();
  const found = await inEachCell(world, async ({ sql, cell }) => ({
    cell: cell!,
    open: await selectOpen(sql),
  }));
  return found.flatMap((one, number) =>
    one === null
      ? [`cell ${number} is away`]
      : one.open
          .filter(id => cells.of(id).cell !== one.cell)
          .map(
            id => `business ${id} is open in cell ${one.cell}, and looked for in cell ${cells.of(id).cell}`,
          ),
  );
}
