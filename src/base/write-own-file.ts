import {
  closeSync,
  fchmodSync,
  fchownSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const onlyForOwner = 0o600;

/**
 * Readable by its owner alone, and never half written: a reader, or the next start, finds the old file or the new one.
 * `asBefore`: who could read the old one can read the new one, whoever writes it.
 */
export function writeOwnFile(path: string, text: string, { asBefore = false } = {}): void {
  mkdirSync(dirname(path), { recursive: true });
  // What a crash left behind may have other rights, and a file that is there keeps its own.
  rmSync(`${path}.new`, { force: true });
  const file = openSync(`${path}.new`, 'wx', onlyForOwner);
  try {
    const before = asBefore && statSync(path, { throwIfNoEntry: false });
    if (before) {
      fchmodSync(file, before.mode & 0o777);
      // Only root gives a file away; anybody else is its reader or was never its owner.
      if (process.getuid?.() === 0) fchownSync(file, before.uid, before.gid);
    }
    writeFileSync(file, text, { flush: true });
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
