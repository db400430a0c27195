import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { readSandboxFile, type SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { startRoles } from '../../src/start-roles.ts';
import { keepBankKey } from './sandbox.ts';
import { openTestWorld } from './test-world.ts';

/**
 * All that the program runs in a sandbox, with its demo shop, on real ports and by the real clock, but in this process
 * and on a database of the tests: `test/sandbox/start.long.test.ts` starts the program itself.
 */
export async function runSandbox(
  env: Record<string, string> = {},
): Promise<{ file: SandboxFile; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milaan-sandbox-'));
  keepBankKey(dataDir);
  const port = Number(env['PORT'] ?? (await freePort(env['HOST'])));
  const world = await openTestWorld({ DATA_DIR: dataDir, ...env, PORT: String(port) });
  world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const baseUrl = `http://${env['HOST'] ?? '127.0.0.1'}:${port}`;
  const running = await startRoles({ ...world, clock: systemClock, baseUrl }, () => {});
  return {
    file: readSandboxFile(dataDir) as SandboxFile,
    async stop() {
      await running.stop();
      await world.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
