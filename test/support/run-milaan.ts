import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export type Said = { code: number; out: string; err: string };

/** An operator's command, with nothing of our environment but what is given. */
export function runMilaan(env: Record<string, string>, ...args: string[]): Promise<Said> {
  return new Promise(end => {
    execFile(
      resolve('bin/milaan'),
      args,
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          MILAAN_ENV_FILE: '/dev/null',
          ...env,
        },
      },
      (error, out, err) => end({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    );
  });
}
