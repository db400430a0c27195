import { type ChildProcess, spawn } from 'node:child_process';
import { StartError } from '../../base/start-error.ts';

/** The tools are in these folders on Debian and others. They get nothing else of our environment. */
export const toolPath = '/usr/local/bin:/usr/bin:/bin';
const mostComplaint = 2_000;

/** The database's address as environment variables: everybody on the machine can see a process's arguments. */
export function postgresEnvironment(databaseUrl: string, database?: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  return {
    PATH: toolPath,
    PGHOST: searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: database ?? decodeURIComponent(pathname.slice(1)),
    ...(searchParams.has('sslmode') && { PGSSLMODE: searchParams.get('sslmode') ?? '' }),
    ...(searchParams.has('sslrootcert') && { PGSSLROOTCERT: searchParams.get('sslrootcert') ?? '' }),
  };
}

export type Tool = { child: ChildProcess; done: Promise<void> };

/** Starts a tool. `done` rejects with the tool's own error output. */
export function startTool(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  stdio: ['ignore' | 'pipe' | number, 'ignore' | 'pipe' | number],
): Tool {
  const child = spawn(program, args, { env, stdio: [...stdio, 'pipe'] });
  let complaint = '';
  child.stderr?.on('data', chunk => {
    complaint = `${complaint}${chunk}`.slice(-mostComplaint);
  });
  // Ignore a broken pipe here: the exit code of the tool reports the failure.
  child.stdin?.on('error', () => {});
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', error => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const missing = `${program} is not installed: apt-get install ${program === 'age' ? 'age' : 'postgresql-client'}`;
      reject(new StartError(isMissing ? missing : `${program}: ${error.message}`));
    });
    child.once('close', code =>
      code === 0 ? resolve() : reject(new StartError(`${program} failed: ${complaint.trim() || code}`)),
    );
  });
  // Without this, a tool that fails before anybody awaits `done` would end the process.
  done.catch(() => {});
  return { child, done };
}
