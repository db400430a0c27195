import type { World } from '../base/world.ts';
import { differences, readPlans, selectPlans, storePlans } from '../business/merchants/plans.ts';
import { copyToOthers } from './cells/copy-installation.ts';
import { inEachCell } from './cells/in-each-cell.ts';
import { hasBusinesses } from './queries.ts';

/**
 * A start with PLANS_FILE: before there is any business the file's plans are stored, for nobody can lose anything by
 * them. From then on those of the database are in force: a process with an older file, or a typo in it, changes nothing.
 * Of several databases those of cell 0 are; nobody knows who is in one that is away.
 */
export async function meetPlansFile(world: World, path: string, say: (line: string) => void): Promise<void> {
  const wanted = readPlans(path);
  const differing = differences(await selectPlans(world.sql), wanted).map(({ plan }) => plan);
  if (differing.length === 0) return;
  const hold = await inEachCell(world, ({ sql }) => hasBusinesses(sql));
  if (hold.every(some => some === false)) {
    await storePlans(world.sql, wanted);
    return await copyToOthers(world);
  }
  say(
    `warning: PLANS_FILE says otherwise than the plans in force (${differing.join(', ')}); milaan plans apply ${path} shows the difference and asks`,
  );
}
