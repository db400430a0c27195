import type { World } from './world.ts';

/** Who runs the installation, where it says so: the one place from which notices take the operator's name. */
export function operatorOf(_world: Pick<World, 'config'>): string | null {
  return null;
}
