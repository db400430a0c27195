import type { World } from '../../base/world.ts';
import { countEvents } from './queries/read.ts';
import { type FailingDestination, selectFailing } from './queries/record.ts';

export type WebhookHealth = { open: number; failed: number; failing: FailingDestination[] };

/** For the dashboard: what is on its way, what was given up, and which destinations fail since when and why. */
export async function webhookHealth({ sql }: Pick<World, 'sql'>, merchantId: number): Promise<WebhookHealth> {
  return { ...(await countEvents(sql, merchantId)), failing: [...(await selectFailing(sql, merchantId))] };
}
