import { setTimeout as sleep } from 'node:timers/promises';
import { readSandboxFile, type SandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';

/** Milaan's sandbox as its own process, asked the way a shop's tests do. */
export type Milaan = {
  url: string;
  file: SandboxFile;
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
  put(path: string, body: unknown): Promise<Record<string, unknown>>;
  order(orderId: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
};

export async function startMilaan(): Promise<Milaan> {
  const dataDir = newDataDir();
  const program = await startReady(dataDir);
  const file = readSandboxFile(dataDir) as SandboxFile;
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(program.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    url: program.url,
    file,
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    async order(orderId) {
      const answer = await fetch(`${program.url}/api/v1/orders/${orderId}`, {
        headers: { 'x-api-key': file.api_key },
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    async stop() {
      program.child.kill('SIGTERM');
      await Promise.race([program.ended, sleep(10_000)]);
      removeDataDir(dataDir);
    },
  };
}
