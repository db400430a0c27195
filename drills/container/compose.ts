import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { newSecretKey } from '../../src/base/secrets.ts';
import { connectShop, type LiveOrder, openLiveShop } from '../../test/support/live-shop.ts';
import type { TestMerchant } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { must, podman } from './podman.ts';
import { relay } from './relay.ts';

const patience = 180_000;
const project = 'milaan-drill';

/** compose.yaml's images, built from Debian's packages with the same names, settings and folders. */
const standIns: Record<string, string> = {
  'docker.io/library/postgres:15': `RUN apt-get update -q && apt-get install -y -q --no-install-recommends postgresql && rm -rf /var/lib/apt/lists/*
ENV PATH=/usr/lib/postgresql/15/bin:/usr/bin:/bin
RUN printf '%s\\n' '#!/bin/sh -e' 'D=/var/lib/postgresql/data/pg' 'if [ ! -e $D/PG_VERSION ]; then echo "$POSTGRES_PASSWORD" >/tmp/p; initdb -D $D -U "$POSTGRES_USER" --pwfile=/tmp/p --auth-host=scram-sha-256 -E UTF8 --locale=C; postgres --single -D $D postgres <<X' 'create database $POSTGRES_DB' 'X' 'echo "host all all all scram-sha-256" >>$D/pg_hba.conf; fi' "exec postgres -D \\$D -c listen_addresses='*' -c unix_socket_directories=/tmp,/var/run/postgresql" >/start && chmod 755 /start && mkdir -p /var/lib/postgresql/data && chown postgres /var/lib/postgresql/data /var/run/postgresql
USER postgres
CMD ["/start"]`,
  'docker.io/library/caddy:2': `RUN apt-get update -q && apt-get install -y -q --no-install-recommends caddy ca-certificates && rm -rf /var/lib/apt/lists/*
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]`,
};

/** The network that compose makes is given a gateway that is known before: there the bank, its mail and the shop are met. */
const network = `${project}_default`;
const subnet = '10.148.9.0/24';
const gateway = '10.148.9.1';

/** compose.yaml as it is, by podman-compose: built, brought up, paid by HTTPS through Caddy, restarted and upgraded. */
export async function drillCompose(
  { folder, onEnd, see }: Stage,
  { sources, base, node }: { sources: string; base: string; node: string },
): Promise<void> {
  const shop = await openLiveShop(undefined, gateway);
  onEnd(() => shop.stop());
  // Debian's real image is similar enough to ours; only the mail server's authority is ours.
  const debian = join(folder, 'stand-in-debian');
  mkdirSync(debian);
  cpSync(shop.env['IMAP_CA_FILE'] ?? '', join(debian, 'ca.pem'));
  writeFileSync(join(debian, 'Containerfile'), `FROM ${base}\nCOPY ca.pem /ca.pem\n`);
  must('build', '--format', 'docker', '-t', 'docker.io/library/debian:bookworm-slim', debian);
  must('tag', node, 'docker.io/library/node:24-slim');
  for (const [number, [name, lines]] of Object.entries(standIns).entries()) {
    const at = join(folder, `stand-in-${number}`);
    mkdirSync(at);
    writeFileSync(join(at, 'Containerfile'), `FROM ${base}\n${lines}\n`);
    must('build', '--format', 'docker', '--network', 'host', '-t', name, at);
  }
  const secretKey = newSecretKey();
  const settings: Record<string, string> = {
    PUBLIC_URL: 'https://localhost',
    DATABASE_URL: 'postgres://milaan:drill@postgres/milaan',
    SECRET_KEY: secretKey,
    TRUST_PROXY: 'yes',
    WEBHOOK_ALLOW: shop.env['WEBHOOK_ALLOW'] ?? '',
    DNS_SERVERS: shop.env['DNS_SERVERS'] ?? '',
    IMAP_CA_FILE: '/ca.pem',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(sources, 'milaan.env'), lines.join(''));
  writeFileSync(join(sources, '.env'), 'PUBLIC_HOST=localhost\nPOSTGRES_PASSWORD=drill\n');
  const compose = (...args: string[]) =>
    spawnSync('podman-compose', ['-p', project, ...args], { cwd: sources, encoding: 'utf8', maxBuffer: 1e8 });
  onEnd(async () => {
    compose('down', '--volumes');
    // It leaves the network, which is the machine's and not of the drill's store.
    podman('network', 'rm', '--force', network);
  });
  must('network', 'create', '--subnet', subnet, '--gateway', gateway, network);
  const comesUp = async (args: string[], wanted: (answer: Answer) => boolean) => {
    const up = compose(...args);
    return await waitFor(
      'https://localhost',
      async () => {
        const [ready, health] = [await ask('/readyz'), await ask('/healthz')];
        return ready?.status === 200 && health !== null && wanted(health) ? '' : null;
      },
      patience,
    ).catch(() => `${up.stdout}\n${up.stderr}`.slice(-6000));
  };
  const trouble = await comesUp(['up', '-d', '--build'], () => true);
  see('compose.yaml as it is comes up, ready behind Caddy’s own TLS', trouble === '', trouble);
  if (trouble !== '') return;
  const line = await relay(gateway, {
    tcp: [shop.dovecot.port, Number(new URL(shop.receiver.url).port)],
    udp: Number(shop.dns.address.split(':')[1]),
  });
  onEnd(async () => line.stop());
  const services = must('ps', '--format', '{{.Names}} {{.Status}}');
  see(
    'all five services run',
    ['web', 'mail', 'deliver', 'postgres', 'caddy'].every(name =>
      new RegExp(`${project}[_-]${name}[_-]1 Up`).test(services),
    ),
    services,
  );
  const web = JSON.parse(must('inspect', `${project}_web_1`))[0].HostConfig;
  see(
    'web has a read-only root, no capability and 512 MiB',
    web.ReadonlyRootfs === true && web.Memory === 512 * 1024 ** 2 && web.CapDrop.length > 0,
    JSON.stringify(web),
  );
  const made = podman(
    ...['exec', `${project}_web_1`, 'milaan', 'create-business'],
    ...['--name', 'Chai', '--email', 'owner@chai.example.in'],
  );
  const [, merchant = ''] = /^business +(\d+)/m.exec(made.stdout) ?? [];
  const [, apiKey = ''] = /^API key +(\S+)/m.exec(made.stdout) ?? [];
  must(
    ...['exec', `${project}_web_1`, 'milaan', 'add-upi-account', '--business', merchant],
    ...['--upi-id', 'chai@okaxis', '--payee-name', 'Chai', '--bank', 'hdfc', '--account-digits', '4321'],
  );
  // Connects the mailbox in compose's database, as the dashboard would.
  const { Networks } = JSON.parse(must('inspect', `${project}_postgres_1`))[0].NetworkSettings;
  const database = `postgres://milaan:drill@${Networks[network].IPAddress}/milaan`;
  await connectShop(shop, database, secretKey, { merchantId: Number(merchant), apiKey } as TestMerchant);
  const pay = async (amount: number) => {
    const created = await ask('/api/v1/orders', apiKey, {
      amount,
      merchant_order_id: `compose-${amount}`,
      success_url: 'https://a.example/s',
      failure_url: 'https://a.example/f',
      webhook_url: shop.receiver.url.replace('127.0.0.1', gateway),
    });
    const order = JSON.parse(created?.body ?? '{}') as LiveOrder;
    await shop.bankWrites(order.payable_amount);
    await waitFor(
      `the webhook of ${created?.body}`,
      () => shop.receiver.received.some(({ body }) => body.includes(order.order_id)),
      patience,
    );
    const read = await ask(`/api/v1/orders/${order.order_id}`, apiKey);
    const shown = await ask(new URL(order.payment_url).pathname);
    return {
      paid: /"status":"paid"/.test(read?.body ?? '') && shown?.status === 200,
      why: JSON.stringify(read),
    };
  };
  const first = await pay(120);
  see(
    'a payment is created, paid by the bank’s mail and told, by HTTPS through Caddy',
    first.paid,
    first.why,
  );
  const again = await comesUp(['restart'], () => true);
  const second = await pay(121);
  see('after a restart of all five the next one is paid', again === '' && second.paid, again + second.why);
  const file = join(sources, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(`"version": "${version}"`, `"version": "${version}-later"`),
  );
  writeFileSync(
    join(sources, 'migrations/9998_drill.sql'),
    '-- A drill wants to see a migration happen.\ncreate table drilled ();\n',
  );
  // Docker's compose replaces containers with a new image by itself; podman-compose 1.0.3 needs a flag.
  const upgraded = await comesUp(['up', '-d', '--build', '--force-recreate'], ({ body }) =>
    body.includes(`${version}-later`),
  );
  const third = await pay(122);
  const kept = await ask('/api/v1/orders', apiKey);
  see(
    'an upgrade is the same command on newer sources: it migrates, keeps what was, and the next one is paid',
    upgraded === '' && third.paid && kept?.body.split('"status":"paid"').length === 4,
    upgraded + third.why,
  );
}

type Answer = { status: number; body: string };

/** Accepts the certificate that Caddy made itself, which nobody else trusts. */
async function ask(path: string, key = '', body?: object): Promise<Answer | null> {
  return await new Promise(resolve => {
    const call = request(
      `https://localhost${path}`,
      {
        method: body ? 'POST' : 'GET',
        rejectUnauthorized: false,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      },
      answer => {
        let said = '';
        answer.on('data', chunk => {
          said += chunk;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: said }));
      },
    );
    call.once('error', () => resolve(null));
    call.end(body && JSON.stringify(body));
  });
}
