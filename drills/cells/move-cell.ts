import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import { freePort } from '../../src/base/free-port.ts';
import { connectShop, type LiveShop, openLiveShop } from '../../test/support/live-shop.ts';
import { startPgBouncer } from '../../test/support/pgbouncer.ts';
import { startReady } from '../../test/support/program.ts';
import { addTestMerchant } from '../../test/support/test-world.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Installation, inWorld, openInstallation } from '../citus/add-cells.ts';
import { blocks, root } from '../guides/typing.ts';
import type { Stage } from '../play-drill.ts';
import { seeNothingLost, settle } from '../standby/drill.ts';
import { joinPromises, type Load, ladderCustomers, startLoad } from '../standby/load.ts';
import { debianPostgres, password, startPrimary } from '../standby/postgres.ts';

export const ways = ['haproxy', 'pgbouncer'] as const;
type Way = (typeof ways)[number];

/** A server of the moving cell: the folder is there from the beginning, the data once it was copied. */
type Machine = { name: string; port: number; folder: string };

/** The address stays the same while the servers behind it change. `places` fills the placeholders of the runbook. */
type Address = { url: string; places(old: Machine, fresh: Machine): Record<string, string> };

const bin = debianPostgres() ?? '';
const user = process.getuid?.() === 0 ? 'setpriv --reuid=65534 --regid=65534 --clear-groups' : '';
const settleLimit = 120 * second;

/** A whole cell moves to another server and again to the next, as docs/cells.md says, under the ladder's traffic. */
export async function moveCell(stage: Stage, way: Way, times: number): Promise<void> {
  const { folder, onEnd, see } = stage;
  const machines: Machine[] = [];
  for (let at = 0; at <= times; at++)
    machines.push({ name: `db${at}`, port: await freePort(), folder: join(folder, `${way}-db${at}`) });
  await startFirst(stage, machines[0]!);
  const address = await (way === 'haproxy' ? startHaproxy : startPooler)(stage, machines);
  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const home = await startPrimary(bin, join(folder, `${way}-home`));
  onEnd(() => home.stop());
  const installation = await openInstallation(home, folder, way, shop.env);
  const { milaan, file } = installation;
  const added = await milaan('add-cell', address.url, '--into', file);
  const opened = await milaan('open-cell', '1');
  see(`${way}: a cell behind an address that stays`, added.code + opened.code === 0, added.err + opened.err);
  const program = await startReady(folder, { env: installation.env });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const cells = [await openShop(shop, installation, 0), await openShop(shop, installation, 1)] as const;
  const loads = cells.map(({ apiKey, mailbox }) =>
    startLoad(shop, program.url, apiKey, { ...ladderCustomers, lanes: 3, address: mailbox }),
  ) as [Load, Load];
  onEnd(() => Promise.race([Promise.all(loads.map(load => load.stop())), sleep(5 * second)]));
  for (let time = 1; time <= times; time++) {
    await more(loads[1], 60);
    const [old, fresh] = [machines[time - 1]!, machines[time]!];
    const { said, counted, held } = await typeRunbook(stage, way, installation, { old, fresh, address });
    await more(loads[1], 60);
    see(
      `${way}, move ${time}: callers held for ${(held / second).toFixed(1)} s; orders, alerts and events before and after: ${counted.join(' and ')}`,
      counted.length === 2 && counted[0] === counted[1] && /^BROKEN/m.test(said) === false,
      said,
    );
    const [other, moved] = loads.map(load => (load.silence() / second).toFixed(1));
    console.log(`          longest silence so far: ${moved} s, of the other cell ${other} s`);
  }
  await Promise.all(loads.map(load => load.stop()));
  const promised = joinPromises(loads);
  const urls = [cells[0].url, cells[1].url];
  const found = await settle({ shop, onEnd }, { promised }, urls, settleLimit);
  seeNothingLost({ shop, see }, { promised, silence: () => loads[1].silence() }, found);
  const verified = await milaan('verify');
  see('verify finds no rule broken', verified.code === 0, verified.out + verified.err);
}

/** A business of this cell, with a mailbox and an account of its own, which the other cells were asked about. */
async function openShop(shop: LiveShop, installation: Installation, cell: number) {
  const { url, merchant } = await inWorld(installation, async world => {
    const one = world.cells!.worlds[cell]!;
    const account = { vpa: `shop${cell}@okaxis`, payeeName: `Shop ${cell}`, accountDigits: '4321' };
    return { url: world.config.cells!.urls[cell]!, merchant: await addTestMerchant(one, { account }) };
  });
  const mailbox = `shop${cell}@chaipoint.example`;
  await connectShop(shop, url, installation.secretKey, merchant, mailbox);
  return { url, apiKey: merchant.apiKey, mailbox };
}

async function more({ promised }: Load, count: number): Promise<void> {
  const wanted = promised.orders.size + count;
  await waitFor(`${count} orders more`, () => promised.orders.size >= wanted, settleLimit);
}

async function startFirst({ onEnd }: Stage, machine: Machine): Promise<void> {
  const first = await startPrimary(bin, machine.folder, [], machine.port);
  onEnd(() => first.stop());
}

async function startHaproxy({ folder, onEnd }: Stage, machines: readonly Machine[]): Promise<Address> {
  const [entry, socket] = [await freePort(), join(folder, 'haproxy.sock')];
  const file = join(folder, 'haproxy.cfg');
  const servers = machines.map(
    ({ name, port }, at) => `  server ${name} 127.0.0.1:${port}${at > 0 ? ' disabled' : ''}\n`,
  );
  writeFileSync(
    file,
    `global\n  stats socket ${socket} level admin\ndefaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\nlisten milaan\n  bind 127.0.0.1:${entry}\n${servers.join('')}`,
  );
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  onEnd(async () => void child.kill('SIGKILL'));
  return {
    url: `postgres://milaan:${password}@127.0.0.1:${entry}/milaan`,
    places: (old, fresh) => ({
      'milaan/old': `milaan/${old.name}`,
      'milaan/new': `milaan/${fresh.name}`,
      '/run/haproxy/admin.sock': socket,
    }),
  };
}

async function startPooler({ onEnd }: Stage, [first]: readonly Machine[]): Promise<Address> {
  const pooler = await startPgBouncer(`postgres://milaan:${password}@127.0.0.1:${first!.port}/milaan`, {
    mode: 'transaction',
    more: ['admin_users = milaan', '[databases]', `milaan = host=127.0.0.1 port=${first!.port}`],
  });
  onEnd(() => pooler.stop());
  return {
    url: pooler.url,
    places: (old, fresh) => ({
      'host=old': `port=${old.port}`,
      'host=new': `port=${fresh.port}`,
      '/etc/pgbouncer/pgbouncer.ini': pooler.file,
      '6432': new URL(pooler.url).port,
    }),
  };
}

/** The runbook, part by part, each on the machine that it names. PgBouncer's own parts take the place of HAProxy's. */
async function typeRunbook(
  { onEnd }: Stage,
  way: Way,
  { env }: Installation,
  { old, fresh, address }: { old: Machine; fresh: Machine; address: Address },
) {
  const partsOf = (word: string) =>
    (blocks('docs/cells.md').find(text => text.includes(word)) ?? '').split(/^# on /m).slice(1);
  const pooled = partsOf('PAUSE');
  const places = {
    ...address.places(old, fresh),
    'old:5432': `127.0.0.1:${old.port}`,
    '/var/lib/postgresql/15/main': join(fresh.folder, 'data'),
  };
  mkdirSync(fresh.folder);
  chmodSync(fresh.folder, 0o777);
  onEnd(() => type('systemctl stop postgresql', fresh).catch(() => {}));
  let [said, heldAt, held] = ['', 0, 0];
  const counted: string[] = [];
  for (const part of partsOf('pg_basebackup')) {
    const isProxy = /^the proxy/.test(part);
    let text = isProxy && way === 'pgbouncer' ? pooled.shift()! : part;
    for (const [place, ours] of Object.entries(places)) text = text.replaceAll(place, ours);
    if (isProxy) heldAt ||= performance.now();
    const printed = await type(text.replace(/^.*\n/, ''), /^the old/.test(part) ? old : fresh, env);
    if (isProxy) held = performance.now() - heldAt;
    counted.push(...(printed.match(/^\d+\|\d+\|\d+$/gm) ?? []));
    said += printed;
  }
  return { said, counted, held };
}

/** Root's shell on this machine of the cell; what it has of sudo and systemd is what the runbook needs. */
async function type(
  text: string,
  { port, folder }: Machine,
  env: Record<string, string> = {},
): Promise<string> {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=150`;
  const prelude = `
    sudo() { shift 2; ${user} env "PATH=${bin}:$PATH" PGHOST=127.0.0.1 PGPORT=${port} PGUSER=milaan PGPASSWORD=${password} "$@"; }
    control() { sudo -u postgres pg_ctl -D ${folder}/data -w "$@" < /dev/null > /dev/null; }
    systemctl() { case $1 in start) control -l ${folder}/log -o "${options}" start ;; stop) control -m fast stop ;; esac; }
    milaan() { ${root}/bin/milaan --env-file=/dev/null "$@"; }`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${prelude}\n${text}`], {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk));
  const code = await new Promise<number | null>(done => child.once('close', done));
  if (code !== 0) throw new Error(`${text} ended with ${code}: ${said}`);
  return said;
}
