import { type RememberedKeys, rememberedKeys } from '../alerts/judging/remembered-keys.ts';
import type { World } from '../base/world.ts';
import type { SimulatedBank } from './open-bank.ts';
import type { DemoMerchant, DemoSeller } from './open-demo-merchant.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { SandboxDns } from './sandbox-dns.ts';

/** A world whose clock and DNS resolver can be changed. */
export type SandboxWorld = World & { clock: SandboxClock; dns: SandboxDns };

export type Playground = {
  world: SandboxWorld;
  demo: DemoMerchant;
  seller: DemoSeller | null;
  bank: SimulatedBank;
  keys: SandboxKeys;
  /**
   * Judges the mails that are due. If another process has the mail role, this only wakes it, because that role judges
   * fairly and keeps its limits. A caller who waits for a verdict polls for it.
   */
  judge(): Promise<unknown>;
};

/** Remembers DKIM keys as every installation does, but a record that a test has just set must count at once. */
type SandboxKeys = RememberedKeys & { askAgain(): void };

export function sandboxKeys(world: Pick<World, 'sql' | 'dns' | 'clock' | 'log' | 'metrics'>): SandboxKeys {
  let keys = rememberedKeys(world);
  return {
    ask: (name, purpose, arrivedAt) => keys.ask(name, purpose, arrivedAt),
    known: (name, arrivedAt) => keys.known(name, arrivedAt),
    refresh: () => keys.refresh(),
    askAgain() {
      keys = rememberedKeys(world);
    },
  };
}
