import { type RememberedKeys, rememberedKeys } from '../alerts/judging/remembered-keys.ts';
import type { World } from '../base/world.ts';
import type { SimulatedBank } from './open-bank.ts';
import type { DemoBusiness, DemoSeller } from './open-demo-business.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { SandboxDns } from './sandbox-dns.ts';

/** The world as the sandbox has it: its clock and its resolver can be moved. */
export type SandboxWorld = World & { clock: SandboxClock; dns: SandboxDns };

export type Playground = {
  world: SandboxWorld;
  demo: DemoBusiness;
  seller: DemoSeller | null;
  bank: SimulatedBank;
  keys: SandboxKeys;
  /**
   * Has the mails judged that are due. Where the mail role runs beside us it is only woken: it judges fairly and keeps
   * its limits, and whoever waits for a verdict looks for it themselves.
   */
  judge(): Promise<unknown>;
};

/** The keys as every installation remembers them; but a record that a test has just put must count at once. */
type SandboxKeys = RememberedKeys & { askAnew(): void };

export function sandboxKeys(world: Pick<World, 'sql' | 'dns' | 'clock' | 'log' | 'metrics'>): SandboxKeys {
  let keys = rememberedKeys(world);
  return {
    ask: (name, purpose, arrivedAt) => keys.ask(name, purpose, arrivedAt),
    known: (name, arrivedAt) => keys.known(name, arrivedAt),
    refresh: () => keys.refresh(),
    askAnew() {
      keys = rememberedKeys(world);
    },
  };
}
