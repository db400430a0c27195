import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwnFile } from '../base/write-own-file.ts';

/** What must outlive a restart: without the clock's lead, orders would come from the future. */
export type KeptState = { clockLeadMs: number; dns: Record<string, string> };

const nothing: KeptState = { clockLeadMs: 0, dns: {} };

export function readKeptState(dataDir: string): KeptState {
  try {
    return { ...nothing, ...(JSON.parse(readFileSync(placeOf(dataDir), 'utf8')) as Partial<KeptState>) };
  } catch {
    return nothing;
  }
}

export function keepState(dataDir: string, state: KeptState): void {
  writeOwnFile(placeOf(dataDir), JSON.stringify(state));
}

function placeOf(dataDir: string): string {
  return join(dataDir, 'sandbox-state.json');
}
