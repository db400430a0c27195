import type { World } from '../world.ts';
import { lockBusiness, markDefaultAccount } from './queries.ts';

/** Orders that name no account go to this one from now on. Two choices at once take turns; the last one stands. */
export async function chooseDefaultAccount(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  accountId: string,
): Promise<boolean> {
  return await sql.begin(async tx => {
    await lockBusiness(tx, merchantId);
    return await markDefaultAccount(tx, merchantId, accountId);
  });
}
