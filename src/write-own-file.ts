import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const onlyForOwner = 0o600;

/** Readable by its owner alone, and never half written: a reader, or the next start, finds the old file or the new one. */
export function writeOwnFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode: onlyForOwner });
  renameSync(`${path}.new`, path);
}
