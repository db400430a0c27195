import { chmodSync, globSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PostgreSQL's programs, whose server tells a time that the drill sets. */
export type FakedBin = {
  bin: string;
  /** Seconds by which its wall clock is ahead of the machine's from now on. Its monotonic clock goes on as before. */
  setAhead(seconds: number): void;
};

/** `real` is the folder of Debian's programs; libfaketime stands before the server alone. */
export function fakeClock(real: string, folder: string, ahead: number): FakedBin {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('libfaketime is needed: apt-get install faketime');
  mkdirSync(folder, { mode: 0o755 });
  const told = join(folder, 'ahead');
  const setAhead = (seconds: number) => writeFileSync(told, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setAhead(ahead);
  chmodSync(told, 0o644);
  for (const name of readdirSync(real))
    if (name !== 'postgres') symlinkSync(join(real, name), join(folder, name));
  const server = join(folder, 'postgres');
  writeFileSync(
    server,
    `#!/bin/sh
export LD_PRELOAD=${library} FAKETIME_TIMESTAMP_FILE=${told} FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1
exec ${join(real, 'postgres')} "$@"
`,
  );
  chmodSync(server, 0o755);
  return { bin: folder, setAhead };
}
