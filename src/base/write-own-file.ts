import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const onlyForOwner = 0o600;

/** Readable by its owner alone, and never half written: a reader, or the next start, finds the old file or the new one. */
export function writeOwnFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // What a crash left behind may have other rights, and a file that is there keeps its own.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode: onlyForOwner, flag: 'wx', flush: true });
  renameSync(`${path}.new`, path);
}
