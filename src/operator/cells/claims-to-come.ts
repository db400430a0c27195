import type { World } from '../../base/world.ts';

/** Stands in for what `claims` brings. */
export async function claimSettled(_source: World, _merchantId: number): Promise<void> {}
export async function fillTaken(_home: World): Promise<void> {}
