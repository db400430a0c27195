import { newDataDir, type Program, removeDataDir, startReady } from '../test/support/program.ts';
import { waitFor } from '../test/support/wait-for.ts';

export type LiveProgram = Program & { stop(): Promise<void> };

/** The real program as an operator runs it, configured live on a given database; loopback is allowed for webhooks. */
export async function startLive(
  roles: readonly string[],
  databaseUrl: string,
  secretKey: Buffer,
  env: Record<string, string> = {},
): Promise<LiveProgram> {
  const dataDir = newDataDir();
  const program = await startReady(dataDir, {
    args: [...roles],
    env: {
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey.toString('hex'),
      WEBHOOK_ALLOW: '127.0.0.1',
      RATE_LIMITS: 'off',
      HOST: '127.0.0.1',
      ...(process.env['PROF'] && { NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof3' }),
      ...env,
    },
  });
  return {
    ...program,
    async stop() {
      program.child.kill('SIGTERM');
      await waitFor('the program to end', async () => (await program.ended) !== undefined, 60_000);
      removeDataDir(dataDir);
    },
  };
}
