import type { Sql } from '../base/database/connect.ts';
import { differences, readPlans, selectPlans, storePlans } from '../business/merchants/plans.ts';
import { hasBusinesses } from './queries.ts';

/**
 * A start with PLANS_FILE: before there is any business the file's plans are stored, for nobody can lose anything by
 * them. From then on those of the database are in force: a process with an older file, or a typo in it, changes nothing.
 */
export async function meetPlansFile(sql: Sql, path: string, say: (line: string) => void): Promise<void> {
  const wanted = readPlans(path);
  const differing = differences(await selectPlans(sql), wanted).map(({ plan }) => plan);
  if (differing.length === 0) return;
  if (!(await hasBusinesses(sql))) return await storePlans(sql, wanted);
  say(
    `warning: PLANS_FILE says otherwise than the plans in force (${differing.join(', ')}); milaan plans apply ${path} shows the difference and asks`,
  );
}
