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

/** Writes a file for its owner alone, and never half. `asBefore` keeps the old file's owner and mode. */
export function writeOwnFile(path: string, text: string, { asBefore = false } = {}): void {
  mkdirSync(dirname(path), { recursive: true });
  // A file left by a crash may have wrong permissions, and opening an existing file keeps them.
  rmSync(`${path}.new`, { force: true });
  const file = openSync(`${path}.new`, 'wx', onlyForOwner);
  try {
    const before = asBefore && statSync(path, { throwIfNoEntry: false });
    if (before) {
      fchmodSync(file, before.mode & 0o777);
      // Only root can change a file's owner.
      if (process.getuid?.() === 0) fchownSync(file, before.uid, before.gid);
    }
    writeFileSync(file, text, { flush: true });
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
