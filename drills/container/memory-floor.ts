import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { podman } from './podman.ts';

const payments = 60;
const name = 'milaan-drill-memory';
const patience = 180_000;
/** For podman to notice that what it runs was killed. */
const leaving = 15_000;

/** The sandbox with its PostgreSQL, from this folder, in the memory that the guide asks for, and in half of it. */
export async function drillMemoryFloor({ folder, onEnd, see }: Stage, image: string): Promise<void> {
  onEnd(async () => void podman('rm', '--force', '--time', '5', name));
  for (const { memory, holds } of [
    { memory: 512, holds: true },
    { memory: 256, holds: false },
  ]) {
    const { paid, most, killed, said } = await playSandbox(image, memory, folder);
    const found = `${paid} of ${payments} orders paid, ${killed ? 'then it was killed' : `${most} MiB at most`}`;
    see(
      `the sandbox with its own PostgreSQL ${holds ? 'holds' : 'does not hold'} in ${memory} MiB: ${found}`,
      holds === (paid === payments && !killed),
      said.slice(-1500),
    );
  }
}

type Played = { paid: number; most: number; killed: boolean; said: string };

async function playSandbox(image: string, mebibytes: number, folder: string): Promise<Played> {
  const here = resolve('.');
  const memory = `${mebibytes}m`;
  const child = spawn(
    'podman',
    [
      ...['run', '--name', name, '--network', 'host', '--memory', memory, '--memory-swap', memory],
      ...['--volume', `${here}:${here}:ro`, '--workdir', here],
      ...['--env', 'PORT=0'],
      ...[
        '--env',
        'DATA_DIR=/tmp/data',
        image,
        'node_modules/.bin/node',
        'src/main.ts',
        '--env-file=/dev/null',
      ],
    ],
    // Podman leaves a file where it stood when what it ran was killed for its memory.
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk;
    });
  const isOver = () => child.exitCode !== null;
  await waitFor('the sandbox', () => isOver() || /ready; stop with/.test(said), patience).catch(() => {});
  const paid = isOver() ? 0 : await payAll(said, isOver);
  if (paid < payments) await waitFor('its end', isOver, leaving).catch(() => {});
  const figures = podman(
    ...['exec', name, 'sh', '-c'],
    'cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null || cat /sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory.events',
  ).stdout;
  podman('rm', '--force', '--time', '10', name);
  return {
    paid,
    most: Math.round(Number(/^\d+/.exec(figures)?.[0] ?? 0) / 1024 ** 2),
    killed: isOver() || Number(/^oom_kill (\d+)/m.exec(figures)?.[1] ?? 0) > 0,
    said: said + figures,
  };
}

async function payAll(said: string, isOver: () => boolean): Promise<number> {
  const url = /listening on (http:\S+)/.exec(said)?.[1] ?? '';
  const [, key = ''] = /(ml_test_\w+)/.exec(said) ?? [];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null);
  let paid = 0;
  for (let count = 0; count < payments && !isOver(); count++) {
    const created = await post('/api/v1/orders', {
      amount: 100 + count,
      merchant_order_id: `memory-${count}`,
      success_url: 'https://a.example/s',
      failure_url: 'https://a.example/f',
      webhook_url: `${url}/healthz`,
    });
    if (!created?.ok) continue;
    const { order_id } = (await created.json()) as { order_id: string };
    if ((await post(`/sandbox/orders/${order_id}/pay`, { how: 'exact' }))?.ok) paid++;
  }
  return paid;
}
