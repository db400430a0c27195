import { rangesOf } from '../../base/settings/config-cells.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import type { Command } from '../command.ts';
import { verifyDatabase } from '../verify.ts';
import { findCountedTwice } from './find-counted-twice.ts';
import { inEachCell } from './in-each-cell.ts';
import { selectStrangers } from './queries.ts';

export const verifyCommand: Command = {
  needs: 'database',
  summary: 'check every rule over all data, in every cell; exit code 1 on a breach',
  run: verifyAll,
};

/** Verifies each cell, then the rules between cells. A cell that is down is a breach: nobody can check it. */
async function verifyAll(world: World): Promise<number> {
  if (!world.cells) return await verifyDatabase(world);
  let code = 0;
  for (const one of world.cells.worlds) {
    console.log(`cell ${one.cell}`);
    code = Math.max(
      code,
      await verifyDatabase(one).catch(error => {
        // A new cell without a business is no breach.
        console.log(`  ${(error as Error).message}`);
        return error instanceof StartError ? 0 : 1;
      }),
    );
  }
  const rules = {
    'each business is open only in the cell of its id': misplaced,
    'each credit counts in only one cell (R2)': findCountedTwice,
  };
  for (const [sentence, check] of Object.entries(rules)) {
    const broken = await check(world).catch((error: Error) => [error.message]);
    console.log(`${broken.length === 0 ? 'holds ' : 'BROKEN'}  ${sentence}`);
    for (const line of broken) console.log(`          ${line}`);
    if (broken.length > 0) code = 1;
  }
  return code;
}

async function misplaced(world: World): Promise<string[]> {
  const cells = world.cells!;
  const ranges = rangesOf(world.config.cells!);
  const found = await inEachCell(world, ({ sql, cell }) =>
    selectStrangers(
      sql,
      ranges.filter(one => one.cell === cell),
    ),
  );
  return found.flatMap((strangers, cell) =>
    strangers === null
      ? [`cell ${cell} is down`]
      : strangers.map(
          id => `business ${id} is open in cell ${cell}, but its id belongs to cell ${cells.of(id).cell}`,
        ),
  );
}
