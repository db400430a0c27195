import { because, type Reason } from '../../texts/verdicts.ts';
import { BoundedMap } from '../bounded-map.ts';
import { second } from '../clock.ts';
import { withLimit } from '../with-limit.ts';
import type { World } from '../world.ts';
import type { Dns } from './dns.ts';
import { checkedAddresses, RefusedAddress } from './guarded-connect.ts';
import { type Host, parseWebhookUrl } from './parse-destination.ts';

export type CheckedDestination = { ok: true; destination: string } | { ok: false; reason: Reason };

/** How long a result is reused at create. Safe, because every connection is checked again. */
const resolvedFor = 30 * second;
const otherwiseFor = 5 * second;
const mostRemembered = 10_000;

/**
 * The check at create (§4.1): refuses a forbidden name, or one with a forbidden address. A name that does not resolve
 * in time is accepted, and checked at every send.
 */
export async function checkDestination(
  world: Pick<World, 'dns' | 'config' | 'clock'>,
  text: string,
): Promise<CheckedDestination> {
  const parsed = parseWebhookUrl(text, world.config);
  if (!parsed.ok) return parsed;
  const { host } = parsed;
  const verdict = host.isLiteral || host.isTrusted ? 'public' : await rememberedVerdict(world, host);
  if (verdict === 'refused') return { ok: false, reason: because('address_not_public') };
  return { ok: true, destination: host.name };
}

type Remembered = { verdict: Promise<HostVerdict>; until: number };

/** One cache per resolver, so that worlds in one process do not share answers. */
const memories = new WeakMap<Dns, BoundedMap<string, Remembered>>();

async function rememberedVerdict(
  world: Pick<World, 'dns' | 'config' | 'clock'>,
  host: Host,
): Promise<HostVerdict> {
  const memory = memories.get(world.dns) ?? new BoundedMap<string, Remembered>(mostRemembered);
  memories.set(world.dns, memory);
  const now = world.clock.now().getTime();
  const known = memory.get(host.name);
  if (known && now < known.until) return await known.verdict;

  // Cache the promise at once, so that many creates for one shop share one lookup.
  const asked: Remembered = { verdict: lookUpHost(world, host), until: now + otherwiseFor };
  memory.set(host.name, asked);
  const verdict = await asked.verdict;
  if (verdict === 'public') asked.until = now + resolvedFor;
  return verdict;
}

type HostVerdict = 'public' | 'refused' | 'unresolved';

/** The longest time that a stranger's DNS server may delay our answer. */
const lookupLimit = 1 * second;

/** A first check of a name's addresses. The one that counts is in every connection. */
export async function lookUpHost(world: Pick<World, 'dns' | 'config'>, host: Host): Promise<HostVerdict> {
  if (host.isLiteral || host.isTrusted) return 'public';
  try {
    await withLimit(checkedAddresses(world, host), lookupLimit, () => new Error('too slow'));
    return 'public';
  } catch (error) {
    return error instanceof RefusedAddress ? 'refused' : 'unresolved';
  }
}
