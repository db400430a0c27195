import { second } from '../clock.ts';
import { withLimit } from '../with-limit.ts';
import type { World } from '../world.ts';
import { checkedAddresses, RefusedAddress } from './checked-addresses.ts';
import type { Host } from './parse-destination.ts';

export type HostVerdict = 'public' | 'refused' | 'unresolved';

/** Nobody who waits for an answer of ours waits longer than this for a stranger's DNS server. */
const lookupLimit = 1 * second;

/** What the addresses of a name allow now, for a first look: the check that counts is the one in every connection. */
export async function lookUpHost(world: Pick<World, 'dns' | 'config'>, host: Host): Promise<HostVerdict> {
  if (host.isLiteral || host.isTrusted) return 'public';
  try {
    await withLimit(checkedAddresses(world, host), lookupLimit, () => new Error('too slow'));
    return 'public';
  } catch (error) {
    return error instanceof RefusedAddress ? 'refused' : 'unresolved';
  }
}
