import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Stage } from '../support/play-drill.ts';
import { waitFor } from '../support/wait-for.ts';

const floor = '512m';
const payments = 60;
const name = 'milaan-drill-memory';
const patience = 180_000;

/** The sandbox with its PostgreSQL, in no more memory than the guide asks for, from this folder. */
export async function drillMemoryFloor(
  { onEnd, see }: Stage,
  image: string,
  limits: string[],
): Promise<void> {
  const here = resolve('.');
  const child = spawn(
    'podman',
    [
      '--runtime',
      'runc',
      'run',
      '--rm',
      '--name',
      name,
      '--network',
      'host',
      ...limits,
      '--memory',
      floor,
      '--memory-swap',
      floor,
      '--volume',
      `${here}:${here}:ro`,
      '--workdir',
      here,
      '--env',
      'MILAAN_ENV_FILE=/dev/null',
      '--env',
      'PORT=0',
      '--env',
      'DATA_DIR=/tmp/data',
      image,
      'node_modules/.bin/node',
      'src/main.ts',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  onEnd(async () => void spawnSync('podman', ['--runtime', 'runc', 'rm', '--force', '--time', '5', name]));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk;
    });
  await waitFor('the sandbox', () => /ready; stop with/.test(said), patience).catch(() => {
    throw new Error(said);
  });
  const url = /listening on (http:\S+)/.exec(said)?.[1] ?? '';
  const [, key = ''] = /(ml_test_\w+)/.exec(said) ?? [];
  let paid = 0;
  for (let count = 0; count < payments && child.exitCode === null; count++) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const order = {
      amount: 100 + count,
      merchant_order_id: `memory-${count}`,
      success_url: 'https://a.example/s',
      failure_url: 'https://a.example/f',
      webhook_url: `${url}/healthz`,
    };
    const created = await fetch(`${url}/api/v1/orders`, {
      method: 'POST',
      headers,
      body: JSON.stringify(order),
    }).catch(() => null);
    if (!created?.ok) continue;
    const { order_id } = (await created.json()) as { order_id: string };
    const answer = await fetch(`${url}/sandbox/orders/${order_id}/pay`, {
      method: 'POST',
      headers,
      body: '{"how":"exact"}',
    }).catch(() => null);
    if (answer?.ok) paid++;
  }
  see(
    `the sandbox with its own PostgreSQL holds in ${floor}: ${paid} of ${payments} orders paid`,
    paid === payments && child.exitCode === null,
    said.slice(-1500),
  );
}
