import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerFor } from '../../src/base/database/runner-for.ts';
import { freePort } from '../../src/base/free-port.ts';
import { waitFor } from '../../test/support/wait-for.ts';

type Member = {
  name: string;
  port: number;
  /** Patroni's own state, or null while it is down. */
  state(): Promise<MemberState | null>;
  /** Whether Patroni, asked there, knows a standby that has all that was acknowledged: it promotes no other. */
  knowsSuccessor(): Promise<boolean>;
  start(): void;
  /** Simulates a power failure: kills Patroni and every process of its PostgreSQL at once. */
  kill(): Promise<void>;
};

type MemberState = { role: string; timeline: number };

export type Cluster = { members: Member[]; url: string; stop(): Promise<void> };

const sizes = [0, 1, 2];
const password = 'drill';
const patience = 180_000;
/** docs/scaling.md gives the same; a takeover takes ttl at most. */
const timing = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

/** Three etcd, three PostgreSQL under Patroni and HAProxy, all Debian's, on this machine. */
export async function startCluster(bin: string, folder: string): Promise<Cluster> {
  const runner = runnerFor(bin, folder);
  const asRoot = process.getuid?.() === 0;
  const user = asRoot
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--pdeathsig', 'KILL']
    : [];
  /** A name in the environment such as PGPASSWORD beats Patroni's own password file: it gets none of ours. */
  const start = (log: string, ...command: string[]) => {
    const file = openSync(log, 'a', 0o600);
    const [program = '', ...args] = [...user, ...command];
    return spawn(program, args, {
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C',
        HOME: folder,
        ETCD_UNSUPPORTED_ARCH: 'arm64',
      },
      stdio: ['ignore', file, file],
      detached: true,
    });
  };
  const place = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    runner.own(path);
    return path;
  };
  const ends: (() => Promise<void>)[] = [];
  const endOf = (child: ChildProcess) => async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>(resolve => child.once('close', () => resolve()));
    child.kill('SIGKILL');
    await gone;
  };

  const [clients, peers, rest, servers] = await Promise.all(
    [1, 2, 3, 4].map(() => Promise.all(sizes.map(() => freePort()))),
  );
  const etcdHosts = clients!.map(port => `127.0.0.1:${port}`);
  const initial = peers!.map((port, at) => `etcd${at}=http://127.0.0.1:${port}`).join(',');
  for (const at of sizes) {
    const data = place(`etcd${at}`);
    const client = `http://127.0.0.1:${clients![at]}`;
    const peer = `http://127.0.0.1:${peers![at]}`;
    const options = {
      name: `etcd${at}`,
      'data-dir': join(data, 'data'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': initial,
      'initial-cluster-state': 'new',
    };
    ends.push(
      endOf(
        start(
          join(folder, `etcd${at}.log`),
          'etcd',
          ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
        ),
      ),
    );
  }

  const members = sizes.map(at => {
    const name = `node${at}`;
    const data = place(name);
    const config = {
      scope: 'milaan',
      name,
      restapi: { listen: `127.0.0.1:${rest![at]}`, connect_address: `127.0.0.1:${rest![at]}` },
      etcd3: { hosts: etcdHosts },
      bootstrap: {
        dcs: {
          ...timing,
          maximum_lag_on_failover: 1_048_576,
          synchronous_mode: true,
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            parameters: { max_connections: 150, wal_keep_size: '256MB' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
      },
      postgresql: {
        listen: `127.0.0.1:${servers![at]}`,
        connect_address: `127.0.0.1:${servers![at]}`,
        data_dir: join(data, 'data'),
        bin_dir: bin,
        pgpass: join(data, 'pgpass'),
        authentication: {
          superuser: { username: 'milaan', password },
          replication: { username: 'replica', password },
          rewind: { username: 'rewinder', password },
        },
        parameters: { unix_socket_directories: data, password_encryption: 'scram-sha-256' },
      },
    };
    const file = join(data, 'patroni.yml');
    writeFileSync(file, JSON.stringify(config, null, 1));
    runner.own(file);
    let child: ChildProcess | null = null;
    const member: Member = {
      name,
      port: servers![at]!,
      state: () => ask<MemberState>(rest![at]!, 'patroni'),
      async knowsSuccessor() {
        const known = await ask<{ members: { role: string }[] }>(rest![at]!, 'cluster');
        return known?.members.some(({ role }) => role === 'sync_standby') ?? false;
      },
      start() {
        child = start(join(folder, `${name}.log`), 'patroni', file);
      },
      async kill() {
        const master = Number(readPostmaster(join(data, 'data')));
        const all = [child?.pid, ...childrenOf(master), master].filter(pid => pid !== undefined && pid > 0);
        for (const pid of all) {
          try {
            process.kill(pid!, 'SIGKILL');
          } catch {
            // It has ended by itself.
          }
        }
        if (child) await endOf(child)();
      },
    };
    ends.push(() => member.kill());
    return member;
  });
  members[0]!.start();
  await waitFor(
    'the first leader',
    async () => (await members[0]!.state())?.role === 'master',
    patience,
  ).catch(error => {
    throw new Error(`${error.message}\n${readFileSync(join(folder, 'node0.log'), 'utf8').slice(-3000)}`);
  });
  members[1]!.start();
  members[2]!.start();

  const entry = await freePort();
  const haproxy = join(folder, 'haproxy.cfg');
  writeFileSync(
    haproxy,
    `global\n  maxconn 1000\ndefaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\n  timeout check 2s\n` +
      `listen milaan\n  bind 127.0.0.1:${entry}\n  option httpchk GET /primary\n  http-check expect status 200\n` +
      `  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions\n` +
      `${sizes.map(at => `  server node${at} 127.0.0.1:${servers![at]} check port ${rest![at]}\n`).join('')}`,
  );
  ends.push(endOf(start(join(folder, 'haproxy.log'), 'haproxy', '-f', haproxy)));
  return {
    members,
    url: `postgres://milaan:${password}@127.0.0.1:${entry}/milaan`,
    async stop() {
      for (const end of ends.reverse()) await end();
    },
  };
}

function readPostmaster(data: string): string {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

async function ask<T>(port: number, what: string): Promise<T | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/${what}`, {
    signal: AbortSignal.timeout(3_000),
  }).catch(() => null);
  return answer ? ((await answer.json()) as T) : null;
}
