import assert from 'node:assert/strict';
import { findBreaches } from '../../src/operator/verify.ts';
import type { TestWorld } from './test-world.ts';
import { use } from './use.ts';

/** After a file's last test, while its database is still open, no rule may be broken. */
export function useRules(stage: { world: TestWorld }): void {
  use(() => ({ stop: async () => assert.deepEqual(await findBreaches(stage.world), []) }));
}
