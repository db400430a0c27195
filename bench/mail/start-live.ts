import { newDataDir, type Program, removeDataDir, startReady } from '../../test/support/program.ts';

export type LiveProgram = Program & { stop(): Promise<void> };

/** The real program, configured live on a given database. Loopback addresses are allowed for webhooks. */
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
      // Further options of Node, such as --cpu-prof.
      ...(process.env['MILAAN_BENCH_NODE'] && { NODE_OPTIONS: process.env['MILAAN_BENCH_NODE'] }),
      ...env,
    },
  });
  return {
    ...program,
    async stop() {
      program.child.kill('SIGTERM');
      await program.ended;
      removeDataDir(dataDir);
    },
  };
}
