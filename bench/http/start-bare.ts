import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Bare = { url: string; pid: number; stop(): void };

const samples = 200;
/** Headers that Node or Fastify write by themselves. */
const writtenByNode = ['content-length', 'date', 'connection', 'keep-alive'];

/** Reads some paths from the service, and starts a bare server with the same answers. */
export async function startBare(
  service: string,
  paths: readonly string[],
  key: string | null,
  database: string | null = null,
): Promise<Bare> {
  const responses = await Promise.all(
    paths.slice(0, samples).map(async path => {
      const response = await fetch(service + path, { headers: key === null ? {} : { 'x-api-key': key } });
      if (response.status !== 200) throw new Error(`${response.status} at ${path}`);
      return { body: await response.text(), headers: [...response.headers] };
    }),
  );
  const answers = responses.map(({ body }) => body);
  const shared = responses[0]!.headers.filter(([name]) => !writtenByNode.includes(name));
  const headers = Object.fromEntries(shared);
  const folder = mkdtempSync(join(tmpdir(), 'milaan-bench-bare-'));
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify({ answers, headers, database }));
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare-process.ts', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: said.toString().trim(),
    pid: child.pid!,
    stop() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
