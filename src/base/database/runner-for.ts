import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

export type Runner = ReturnType<typeof runner>;

const nobody = 65534;
const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/**
 * PostgreSQL refuses to run as root. As root we run it as `nobody`. If `nobody` cannot enter the folders (a private
 * home, a temporary folder), we use a user namespace that shows our root as `nobody`. `setpriv --pdeathsig` asks the
 * kernel to stop the database whenever our process dies.
 */
export function runnerFor(bin: string, dataDir: string): Runner {
  const asRoot = process.getuid?.() === 0;
  const dieWithUs = works(['setpriv', '--pdeathsig', 'INT', 'true']) ? ['setpriv', '--pdeathsig', 'INT'] : [];
  if (!asRoot) return runner(bin, dieWithUs, null);

  const asNobody = [
    'setpriv',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    '--pdeathsig',
    'INT',
  ];
  const canEnter =
    works([...asNobody, join(bin, 'postgres'), '--version']) && works([...asNobody, 'test', '-x', dataDir]);
  if (canEnter) return runner(bin, asNobody, nobody);

  const namespace = ['unshare', '-U', `--map-user=${nobody}`, `--map-group=${nobody}`];
  if (works([...namespace, ...dieWithUs, join(bin, 'postgres'), '--version'])) {
    return runner(bin, [...namespace, ...dieWithUs], 0);
  }
  throw new StartError(
    'PostgreSQL does not run as root, and this folder is closed to other users: run as an ordinary user or from a folder that others may enter',
  );
}

function runner(bin: string, prefix: string[], owner: number | null) {
  return {
    spawn(program: string, args: string[], stdio: StdioOptions): ChildProcess {
      const [command = '', ...rest] = [...prefix, join(bin, program), ...args];
      // A separate process group: Ctrl-C must reach us first, so that we can finish current work.
      return spawn(command, rest, {
        stdio,
        detached: true,
        env: { PATH: systemPath, LC_ALL: 'C', TZ: 'UTC' },
      });
    },
    /** Gives a file or folder to the database's user. */
    own(path: string): void {
      if (owner !== null && lstatSync(path).uid !== owner) chown(path, owner);
    },
  };
}

function works([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function chown(path: string, owner: number): void {
  chownSync(path, owner, owner);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chown(join(path, name), owner);
}
