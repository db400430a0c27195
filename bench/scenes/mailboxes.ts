import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { credentialPlace } from '../../src/alerts/mailboxes/open-login.ts';
import { upsertMailbox } from '../../src/alerts/mailboxes/queries/settings.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { addresses, startDnsServer } from '../../test/support/dns-server.ts';
import { type Dovecot, startDovecot } from '../../test/support/dovecot.ts';
import { newDataDir, removeDataDir } from '../../test/support/program.ts';
import { openMailWorld, password } from '../../test/support/test-mailbox.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { BareOrders } from '../mail/bare-mailboxes-child.ts';
import { median } from '../mail/in-turns.ts';
import { startLive } from '../mail/start-live.ts';
import { type AtEnd, withEndings } from '../mail/with-endings.ts';
import { processorSeconds, serverPid } from '../processor.ts';
import { report } from '../report.ts';

/**
 * Measures the cost of a thousand watched mailboxes in one process of the `mail` role, against bare imapflow sessions
 * that do the same IMAP work: the process's memory once all is quiet, and the time until every one is ready. Ready is,
 * for the bare one, IDLE on INBOX after both folders were opened and searched; for ours, that and all of it stored. Needs Dovecot.
 */
const mailboxes = Number(process.argv[2] ?? 1000);
const rounds = 2;
/** The same number of logins in progress as in the product. */
const atOnce = mailboxes;
const patience = 300_000;
const settle = 8000;

/** `processor`: seconds of it until all were ready, of the process itself and for ours of the database. */
type Figure = { seconds: number; mebibytes: number; processor: number };

const secretKey = randomBytes(32);
const folder = newDataDir();

await withEndings(async atEnd => {
  atEnd(() => removeDataDir(folder));
  const dovecot = await startDovecot();
  atEnd(() => dovecot.stop());
  const users = Array.from({ length: mailboxes }, (_, number) => `user${number}@test.example`);
  for (const user of users) await dovecot.setPassword(user, password);
  const dns = await startDnsServer(addresses({ [dovecot.host]: ['127.0.0.1'] }));
  atEnd(() => dns.stop());
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, dovecot.ca);
  const contestants = {
    bare: () => idleBare(dovecot, users, atEnd),
    ours: () => watchOurs(dovecot, users, { DNS_SERVERS: dns.address, IMAP_CA_FILE: caFile }, atEnd),
  };
  // The first login of a user makes his folders; that is nobody's cost.
  await contestants.bare();
  const figures = { bare: [] as Figure[], ours: [] as Figure[] };
  for (let round = 0; round < rounds; round++) {
    const names = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
    for (const name of names) figures[name].push(await contestants[name]());
  }
  const of = (name: 'bare' | 'ours', key: keyof Figure) => median(figures[name].map(figure => figure[key]));
  const ratio = (key: keyof Figure) => of('ours', key) / of('bare', key);
  const row = (what: string, name: 'bare' | 'ours') => ({
    what,
    mailboxes,
    'memory MiB': Math.round(of(name, 'mebibytes')),
    'KiB each': Math.round((of(name, 'mebibytes') * 1024) / mailboxes),
    'ready after s': of(name, 'seconds').toFixed(1),
    'memory ratio': (of(name, 'mebibytes') / of('bare', 'mebibytes')).toFixed(2),
    'time ratio': (of(name, 'seconds') / of('bare', 'seconds')).toFixed(2),
    'CPU ms each': ((of(name, 'processor') * 1000) / mailboxes).toFixed(1),
  });
  console.log(`\nby processor time until ready: ${ratio('processor').toFixed(2)}`);
  report({
    name: 'mailboxes',
    aim: { atMost: 1.5 },
    ratio: Math.max(ratio('mebibytes'), ratio('seconds')),
    rows: [row('bare imapflow, the same folders', 'bare'), row('the mail role, watching', 'ours')],
  });
});

async function idleBare({ host, port, ca }: Dovecot, users: string[], atEnd: AtEnd): Promise<Figure> {
  const orders: BareOrders = { host, port, ca, users, atOnce };
  const script = fileURLToPath(new URL('../mail/bare-mailboxes-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  try {
    let output = '';
    child.stdout.on('data', text => {
      output += text;
    });
    const said = await waitFor(
      'every bare session',
      () => /idling after (\d+) ms, of the processor (\d+) ms/.exec(output),
      patience,
    );
    await sleep(settle);
    return {
      seconds: Number(said[1]) / 1000,
      mebibytes: memoryOf(child.pid!),
      processor: Number(said[2]) / 1000,
    };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await sleep(settle);
  }
}

async function watchOurs(
  dovecot: Dovecot,
  users: readonly string[],
  env: Record<string, string>,
  atEnd: AtEnd,
): Promise<Figure> {
  const world = await openMailWorld();
  const stopWorld = onlyOnce(() => world.stop());
  atEnd(stopWorld);
  Object.assign(world, { secrets: secretBox([secretKey]) });
  try {
    const merchants: number[] = [];
    for (const user of users) merchants.push(await createMerchant(world.sql, world, { name: user }));
    const program = await startLive(['mail'], world.databaseUrl, secretKey, {
      ...env,
      WEBHOOK_ALLOW: dovecot.host,
    });
    const stopProgram = onlyOnce(() => program.stop());
    atEnd(stopProgram);
    try {
      // Stores them as the dashboard does, without the trial logins, all at the same moment.
      await world.sql.begin(async tx => {
        for (const [place, user] of users.entries()) {
          const merchantId = merchants[place]!;
          const credential = JSON.stringify({ kind: 'password', password });
          await upsertMailbox(tx, {
            merchant_id: merchantId,
            provider: 'other',
            address: user,
            username: user,
            host: dovecot.host,
            port: dovecot.port,
            credential: world.secrets.seal(credential, credentialPlace(merchantId)),
            extra_folders: [],
            connected_at: world.clock.now(),
          });
        }
        await tx.notify('mailboxes', 'changed');
      });
      const start = performance.now();
      const pids = [program.child.pid!, await serverPid(world.sql)];
      const before = processorSeconds(pids);
      const isReady = async () => {
        const [row] = await world.sql<{ ready: number }[]>`
          select count(*) as ready from mailbox_states where last_good_poll is not null`;
        return row!.ready === users.length;
      };
      await waitFor('every mailbox', isReady, patience);
      const seconds = (performance.now() - start) / 1000;
      const processor = processorSeconds(pids) - before;
      await sleep(settle);
      return { seconds, mebibytes: memoryOf(program.child.pid!), processor };
    } finally {
      await stopProgram();
    }
  } finally {
    await stopWorld();
    await sleep(settle);
  }
}

/** Parts that end with their round are not ended again with the scene. */
function onlyOnce(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | null = null;
  return () => {
    ended ??= end();
    return ended;
  };
}

/** Resident memory of a process. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
