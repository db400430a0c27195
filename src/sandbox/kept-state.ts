import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What must outlive a restart: without the clock's lead, orders would come from the future. */
export type KeptState = { clockLeadMs: number; dns: Record<string, string> };

const nothing: KeptState = { clockLeadMs: 0, dns: {} };
const onlyForOwner = 0o600;

export function readKeptState(dataDir: string): KeptState {
  let text: string;
  try {
    text = readFileSync(placeOf(dataDir), 'utf8');
  } catch {
    return nothing;
  }
  try {
    return { ...nothing, ...(JSON.parse(text) as Partial<KeptState>) };
  } catch {
    return nothing;
  }
}

export function keepState(dataDir: string, state: KeptState): void {
  writeOwnFile(placeOf(dataDir), JSON.stringify(state));
}

/** Readable by its owner alone, and never half written: a reader finds the old file or the new one. */
export function writeOwnFile(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode: onlyForOwner });
  renameSync(`${path}.new`, path);
}

function placeOf(dataDir: string): string {
  return join(dataDir, 'sandbox-state.json');
}
