import { type RememberedKeys, rememberedKeys } from '../alerts/judging/remembered-keys.ts';
import type { World } from '../base/world.ts';

/** The keys as every installation remembers them; but a record that a test has just put must count at once. */
export type SandboxKeys = RememberedKeys & { askAnew(): void };

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
