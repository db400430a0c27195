import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { newSecretKey } from '../../src/secrets.ts';
import type { Stage } from '../support/play-drill.ts';
import { waitFor } from '../support/wait-for.ts';
import { must, podman } from './podman.ts';

const patience = 180_000;
const project = 'milaan-drill';

/** What compose.yaml takes from a registry, made of Debian's packages: the same names, settings and folders. */
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

/** compose.yaml as it is, by podman-compose: built, brought up, called by HTTPS through Caddy. */
export async function drillCompose(
  { folder, onEnd, see }: Stage,
  { sources, base, node }: { sources: string; base: string; node: string },
): Promise<void> {
  must('tag', base, 'docker.io/library/debian:bookworm-slim');
  must('tag', node, 'docker.io/library/node:24-slim');
  for (const [name, lines] of Object.entries(standIns)) {
    const at = join(folder, `stand-in-${Object.keys(standIns).indexOf(name)}`);
    mkdirSync(at);
    writeFileSync(join(at, 'Containerfile'), `FROM ${base}\n${lines}\n`);
    must('build', '--format', 'docker', '--network', 'host', '-t', name, at);
  }
  writeFileSync(
    join(sources, 'milaan.env'),
    `PUBLIC_URL=https://localhost\nDATABASE_URL=postgres://milaan:drill@postgres/milaan\nSECRET_KEY=${newSecretKey()}\nTRUST_PROXY=yes\n`,
  );
  writeFileSync(join(sources, '.env'), 'PUBLIC_HOST=localhost\nPOSTGRES_PASSWORD=drill\n');
  const compose = (...args: string[]) =>
    spawnSync('podman-compose', ['-p', project, ...args], { cwd: sources, encoding: 'utf8', maxBuffer: 1e8 });
  onEnd(async () => {
    compose('down', '--volumes');
    // It leaves the network, which is the machine's and not of the drill's store.
    podman('network', 'rm', '--force', `${project}_default`);
  });
  const up = compose('up', '-d', '--build');
  const { status, body } = await waitFor(
    'https://localhost/readyz',
    async () => {
      const answer = await ask('/readyz');
      return answer?.status === 200 ? answer : null;
    },
    patience,
  ).catch(() => ({ status: 0, body: `${up.stdout}\n${up.stderr}`.slice(-6000) }));
  see('compose.yaml as it is comes up, ready behind Caddy’s own TLS', status === 200, body);
  if (status !== 200) return;
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
  const [, business = ''] = /^business +(\d+)/m.exec(made.stdout) ?? [];
  const [, key = ''] = /^API key +(\S+)/m.exec(made.stdout) ?? [];
  must(
    ...['exec', `${project}_web_1`, 'milaan', 'add-upi-account', '--business', business],
    ...['--upi-id', 'chai@okaxis', '--payee-name', 'Chai', '--bank', 'hdfc', '--account-digits', '4321'],
  );
  const order = await ask('/api/v1/orders', key, {
    amount: 120,
    merchant_order_id: 'compose-1',
    success_url: 'https://a.example/s',
    failure_url: 'https://a.example/f',
    webhook_url: 'https://a.example/w',
  });
  see('a business made by command creates an order by HTTPS', order?.status === 201, JSON.stringify(order));
}

/** By the certificate that Caddy made itself, which nobody else believes. */
async function ask(path: string, key = '', body?: object): Promise<{ status: number; body: string } | null> {
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
