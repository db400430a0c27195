import { later, minute, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { recordPatiently } from '../../base/database/record-patiently.ts';
import { newLease } from '../../base/database/row-lease.ts';
import type { World } from '../../base/world.ts';
import { parseEndpoint, postOnce, withoutExceptions } from '../post.ts';
import {
  claimPushes,
  countDuePushes,
  type DuePush,
  deletePush,
  markNotified,
  mostOfAMerchant,
  postponePush,
} from './queries.ts';
import { pushKeys } from './subscription.ts';
import { wordPush } from './word-push.ts';

/** Must exceed the time limit of one try. */
const leaseFor = 30 * second;
/** Poll instead of using NOTIFY: people do not notice a second, and the paying transaction stays short. */
const pollPause = 1 * second;
/** The limit of parallel sends in this process. A slow address holds one place, and a business only a few. */
const places = 64;

export function startPushing(world: World): { stop(): Promise<void> } {
  const pushed = world.metrics.counter('milaan_pushes_total', 'Notices to devices, by outcome.', ['outcome']);
  // Start each series at 0, or Prometheus would not see its first failure as an increase.
  for (const outcome of ['sent', 'failed', 'given_up']) pushed.inc({ outcome }, 0);
  const waiting = world.metrics.gauge('milaan_pushes_waiting', 'Notices to devices that are due.');
  if (pushKeys(world.config) === null) return { stop: async () => {} };
  const stopping = new AbortController();
  const inHand = new Map<Promise<void>, number>();
  const worker = keepWorking(world, { what: 'sending push notices', pause: pollPause }, async () => {
    const limit = places - inHand.size;
    if (limit === 0) return pollPause;
    const now = world.clock.now();
    waiting.set(await countDuePushes(world.sql, now));
    const busy = busyOnes(inHand.values());
    const due = await claimPushes(world.sql, newLease(now, leaseFor), { limit, busy });
    for (const push of due) {
      const sending = deliverPush(world, push, stopping.signal)
        .then(
          outcome => pushed.inc({ outcome }),
          error => {
            pushed.inc({ outcome: 'failed' });
            world.log.error({ err: error }, 'the outcome of a push was not recorded; its lease will lapse');
          },
        )
        .finally(() => inHand.delete(sending));
      inHand.set(sending, push.merchant_id);
    }
    return due.length > 0 ? 0 : pollPause;
  });
  return {
    async stop() {
      await worker.stop();
      // Cut off running sends instead of waiting; they are tried again.
      stopping.abort();
      await Promise.all(inHand.keys());
    },
  };
}

function busyOnes(inHand: Iterable<number>): number[] {
  const groups = Map.groupBy(inHand, merchantId => merchantId);
  return [...groups].flatMap(([merchantId, all]) => (all.length >= mostOfAMerchant ? [merchantId] : []));
}

/** The pause after each failed try. After the last one the push is given up. */
const pauses = [10 * second, 1 * minute, 5 * minute, 15 * minute];

/** `dropped`: nobody may see it any more. */
export type PushResult = 'sent' | 'failed' | 'gone' | 'given_up' | 'dropped';

/** If the process dies before it records, the push is sent again. Both have one tag, so the device shows one. */
export async function deliverPush(
  world: Pick<World, 'sql' | 'clock' | 'dns' | 'config' | 'baseUrl' | 'log'>,
  push: DuePush,
  stopping: AbortSignal,
): Promise<PushResult> {
  const { sql, clock, log } = world;
  const { merchant_id, push_id, device_id, tries, useful_until } = push;
  if (device_id === null || useful_until <= clock.now()) {
    await deletePush(sql, push);
    return 'dropped';
  }
  const outcome = await sendPush(world, push, stopping);
  const remove = () => recordPatiently(world, () => deletePush(sql, push), stopping);
  if (outcome === 'sent') {
    await remove();
    await markNotified(sql, merchant_id, device_id, clock.now());
    return outcome;
  }
  if (outcome === 'gone') {
    await sql`delete from push_devices where merchant_id = ${merchant_id} and device_id = ${device_id}`;
    await remove();
    return outcome;
  }
  log.warn({ merchant: merchant_id, push: push_id, tries }, 'a device could not be notified');
  const pause = pauses[tries - 1];
  const next = pause === undefined ? null : later(clock.now(), pause);
  if (next === null || next >= useful_until) {
    await remove();
    return 'given_up';
  }
  await recordPatiently(world, () => postponePush(sql, push, next), stopping);
  return outcome;
}

/** `gone`: the subscription has ended, and the device is deleted. */
type PushOutcome = 'sent' | 'failed' | 'gone';

/** The limit for DNS, connection, TLS, request and response headers together. */
const sendLimit = 5 * second;
/** Push services require a contact. This one is used without a public https address. */
const noContact = 'mailto:nobody@milaan.invalid';

/** The library encrypts and signs. We send, because the address came from a browser and must pass our guard. */
export async function sendPush(
  world: Pick<World, 'dns' | 'config' | 'clock' | 'baseUrl'>,
  push: DuePush,
  stopping: AbortSignal,
): Promise<PushOutcome> {
  // Check again at every send: the rules may have changed since the device was added.
  const outside = withoutExceptions(world);
  const parsed = parseEndpoint(push.endpoint, outside.config);
  const keys = pushKeys(world.config);
  if (parsed === null || keys === null) return 'failed';
  const { default: library } = await import('web-push');
  const message = wordPush(push);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendLimit)]);
  try {
    const { headers, body } = library.generateRequestDetails(
      { endpoint: parsed.url.href, keys: { p256dh: push.p256dh, auth: push.auth } },
      JSON.stringify(message),
      {
        TTL: Math.max(0, Math.floor((push.useful_until.getTime() - world.clock.now().getTime()) / second)),
        // Also replaces a message that still waits for a phone that is off.
        topic: message.tag,
        urgency: 'high',
        vapidDetails: { ...keys, subject: world.baseUrl.startsWith('https:') ? world.baseUrl : noContact },
      },
    );
    const asked = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    return outcomeOf((await postOnce(outside, parsed, { headers: asked, body }, signal)).statusCode);
  } catch {
    return 'failed';
  }
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  return status === 404 || status === 410 ? 'gone' : 'failed';
}
