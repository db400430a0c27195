import { BoundedMap } from '../../base/bounded-map.ts';
import { minute } from '../../base/clock.ts';
import { checkDestination } from '../../base/network/check-destination.ts';
import type { World } from '../../base/world.ts';
import { sayReason } from '../../texts/say.ts';
import type { PresentedKey } from './api-key.ts';
import { findCaller } from './find-caller.ts';

/** A shop sends the same webhook_url with every order; asking DNS again each time would cost more than the create. */
const rememberFor = 1 * minute;
const mostRemembered = 10_000;

/** Tells why a webhook_url is refused, or null. */
export type WebhookProblem = (key: PresentedKey, url: string) => Promise<string | null>;

/**
 * §4.1. An accepted address is remembered for a minute; it is judged again in the connection of every send, so what
 * is remembered here opens no door.
 */
export function openWebhookProblem(world: Pick<World, 'sql' | 'clock' | 'dns' | 'config'>): WebhookProblem {
  const acceptedUntil = new BoundedMap<string, number>(mostRemembered);
  return async (key, url) => {
    const now = world.clock.now().getTime();
    if ((acceptedUntil.get(url) ?? 0) > now) return null;
    // DNS is asked only for callers we know: nobody else makes us look up names of their choice.
    await findCaller(world, key);
    const judged = await checkDestination(world, url);
    if (!judged.ok) return `webhook_url ${sayReason('en', judged.reason)}`;
    acceptedUntil.set(url, now + rememberFor);
    return null;
  };
}
