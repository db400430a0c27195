import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { checkDestination } from '../../base/network/check-destination.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { countEventsSince, selectLastWebhookUrl } from './queries/events.ts';
import { lastStep, randomEventId, recordEvent } from './record-event.ts';

export const testEventType = 'webhook.test';

/** The merchant chooses the server, so a low limit keeps us from annoying anybody. */
const mostPerMinute = 5;

/** Sends a signed event without an order once, to the given address or the newest order's. */
export async function sendTestEvent(
  world: Pick<World, 'sql' | 'clock' | 'dns' | 'config'>,
  merchantId: number,
  url: string | null = null,
  /** Writes the audit entry in the event's transaction. */
  record?: (tx: Transaction, eventId: string) => Promise<void>,
): Promise<{ ok: true; eventId: string } | { ok: false; reason: Reason }> {
  const { sql, clock } = world;
  const now = clock.now();
  const webhookUrl = url ?? (await selectLastWebhookUrl(sql, merchantId));
  if (webhookUrl === null) return { ok: false, reason: because('no_webhook_url') };
  const checked = await checkDestination(world, webhookUrl);
  if (!checked.ok) return { ok: false, reason: because('bad_test_address', { problem: checked.reason }) };
  if ((await countEventsSince(sql, merchantId, testEventType, later(now, -minute))) >= mostPerMinute) {
    return { ok: false, reason: because('too_many_tests', { most: mostPerMinute }) };
  }
  const eventId = randomEventId();
  await sql.begin(async tx => {
    await recordEvent(tx, {
      merchantId,
      eventId,
      type: testEventType,
      orderId: null,
      webhookUrl,
      data: { message: 'This is a test. No payment was made.' },
      now,
      step: lastStep,
      askedBy: 'merchant',
    });
    await record?.(tx, eventId);
  });
  return { ok: true, eventId };
}
