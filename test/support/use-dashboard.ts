import { type DashboardSite, openDashboard } from './dashboard-site.ts';
import { openTestWorld, type TestWorld } from './test-world.ts';
import { use } from './use.ts';

/** The dashboard over a database of its own, for the file that calls this. `env` sets what an operator would set. */
export function useDashboard(env: Record<string, string> = {}): { world: TestWorld; site: DashboardSite } {
  const world = use(() => openTestWorld(env));
  return { world, site: use(() => openDashboard(world)) };
}
