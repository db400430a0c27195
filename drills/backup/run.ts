import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { install } from '../../test/support/install.ts';
import { connectShop, createPatiently, openLiveShop } from '../../test/support/live-shop.ts';
import { startReady } from '../../test/support/program.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';
import { debianPostgres, startPrimary } from '../standby/postgres.ts';
import { drillPgBackRest } from './pgbackrest.ts';

/** `npm run drill -- backup`: backups are written, tried, dropped and restored, with Debian's PostgreSQL, age and pgBackRest. */
install('the drill needs', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/bin/age', 'age'],
  ['/usr/bin/pgbackrest', 'pgbackrest'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);

await playDrill('backup drill', async ({ folder, onEnd, see }) => {
  const bin = debianPostgres() ?? '';
  const server = await startPrimary(bin, join(folder, 'server'));
  onEnd(() => server.stop());
  const shop = await openLiveShop();
  onEnd(() => shop.stop());
  const identity = join(folder, 'key.txt');
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' });
  const publicKey = /public key: (\S+)/.exec(readFileSync(identity, 'utf8'))?.[1] ?? '';
  const backups = join(folder, 'backups');
  const secretKey = newSecretKey();
  const env = {
    ...shop.env,
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: server.url,
    SECRET_KEY: secretKey,
    BACKUP_DIR: backups,
    BACKUP_DAYS: '7',
  };
  const program = await startReady(folder, { env });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const { apiKey } = await connectShop(shop, server.url, secretKey);
  const paid = async (url: string, amount: number) => {
    const { order } = await createPatiently(url, apiKey, { amount, webhook_url: shop.receiver.url });
    await shop.bankWrites(order.payable_amount);
    await waitFor('the webhook', () =>
      shop.receiver.received.some(({ body }) => body.includes(order.order_id)),
    );
    return order.order_id;
  };
  const first = await paid(program.url, 500);
  await runMilaan(env, 'create-business', '--name', 'Forwarding Only', '--email', 'forwarding@example.in');
  const live = connect(server.url, { most: 1 });
  await live`
    insert into forward_addresses (merchant_id, address, opened_at)
    select merchant_id, 'alerts-1@alerts.example.in', now() from merchants where name = 'Forwarding Only'`;
  await live.end();

  const keyless = await runMilaan(env, 'backup');
  see(
    'without BACKUP_KEY nothing is written',
    keyless.code === 1 && /BACKUP_KEY is not set/.test(keyless.err),
    keyless.err,
  );
  const withKey = { ...env, BACKUP_KEY: publicKey };
  const written = await runMilaan(withKey, 'backup');
  see(
    'a backup is written and tried in a scratch database',
    written.code === 0 &&
      /tried: 2 businesses, 1 orders, 1 alerts restored, all rules hold/.test(written.out),
    written.err,
  );
  const file = join(backups, readdirSync(backups)[0] ?? '');
  see(
    'only its owner may read it',
    (statSync(file).mode & 0o777) === 0o600 && (statSync(backups).mode & 0o777) === 0o700,
  );
  const bytes = readFileSync(file);
  see(
    'nothing of it can be read without the key',
    bytes.subarray(0, 21).toString() === 'age-encryption.org/v1' && !bytes.includes('PGDMP'),
  );
  see(
    'no scratch database is left',
    (await server.run("select from pg_database where datname like 'milaan_trial_%'")).length === 0,
  );

  const old = join(backups, 'milaan-2026-01-01T000000Z.dump.age');
  writeFileSync(old, 'old', { mode: 0o600 });
  writeFileSync(join(backups, 'notes.txt'), 'mine');
  utimesSync(join(backups, 'notes.txt'), 0, 0);
  const again = await runMilaan(withKey, 'backup', '--untried');
  const names = readdirSync(backups);
  see(
    'what is older than BACKUP_DAYS is dropped, and nothing that is not ours',
    again.code === 0 && !names.includes('milaan-2026-01-01T000000Z.dump.age') && names.includes('notes.txt'),
    again.out,
  );

  const elsewhere = join(folder, 'elsewhere');
  const kept = join(elsewhere, 'milaan-2026-01-01T000000Z.dump.age');
  mkdirSync(elsewhere);
  writeFileSync(kept, 'old', { mode: 0o600 });
  const untried = await runMilaan(withKey, 'backup', '--untried', '--dir', elsewhere);
  see(
    'a directory that is given wins over BACKUP_DIR, and nothing old is dropped there',
    untried.code === 0 &&
      untried.out.includes(join(elsewhere, 'milaan-')) &&
      existsSync(kept) &&
      readdirSync(backups).length === names.length,
    untried.out + untried.err,
  );

  const over = await runMilaan(withKey, 'restore', file, '--identity', identity);
  see('a restore never overwrites', over.code === 1 && /is not empty: give --into/.test(over.err), over.err);
  const wrong = join(folder, 'wrong.txt');
  execFileSync('age-keygen', ['-o', wrong], { stdio: 'ignore' });
  const locked = await runMilaan(withKey, 'restore', file, '--identity', wrong, '--into', 'milaan_locked');
  see('another key opens nothing', locked.code === 1 && /age failed/.test(locked.err), locked.err);

  const lost = await paid(program.url, 600);
  const restored = await runMilaan(
    withKey,
    'restore',
    file,
    '--identity',
    identity,
    '--into',
    'milaan_restored',
  );
  see(
    'a backup is restored into a new database and verified',
    restored.code === 0 &&
      /2 businesses, 1 orders, 1 alerts[\s\S]*all rules hold[\s\S]*17 minutes/.test(restored.out),
    restored.out + restored.err,
  );
  see(
    'it says what is not in it, and who receives alerts by forwarding only',
    /not in it: everything from \d{4}-\S+Z \(the backup\) until[\s\S]*; 1 businesses receive alerts by forwarding only, .*: \d+ Forwarding Only\n/.test(
      restored.out,
    ),
    restored.out,
  );
  program.child.kill('SIGTERM');
  await program.ended;
  const after = await startReady(folder, {
    env: { ...env, DATABASE_URL: server.url.replace(/milaan$/, 'milaan_restored') },
    args: ['mail', 'deliver'],
  });
  onEnd(async () => {
    after.child.kill('SIGTERM');
    await after.ended;
  });
  const sql = connect(server.url.replace(/milaan$/, 'milaan_restored'), { most: 1 });
  onEnd(() => sql.end());
  see(
    'a restored database has statistics',
    (await sql`select from pg_stats where tablename = 'orders' limit 1`).length === 1,
  );
  const verdicts = await waitFor('the mail of the lost order', async () => {
    const rows = await sql<{ verdict: string }[]>`select verdict from alerts order by arrived_at`;
    return rows.length === 2 && rows.every(row => row.verdict !== 'unjudged')
      ? rows.map(row => row.verdict)
      : null;
  });
  see(
    'the mail role finds the later mail again: what paid stays paid, and the lost order shows as no_order',
    verdicts.join() === 'paid,no_order',
    verdicts.join(),
  );
  see(
    'orders of the backup are there, later ones are not',
    (await sql`select from orders where order_id in ${sql([first, lost])}`).length === 1,
  );

  await server.run('drop database milaan_locked');
  const broken = connect(server.url, { most: 1 });
  await broken`update orders set payable_paise = payable_paise + 1 where order_id = ${first}`.catch(error =>
    console.error(error),
  );
  await broken.end();
  const refused = await runMilaan(withKey, 'backup');
  see(
    'a backup in whose trial a rule is broken is not kept',
    refused.code === 1 &&
      /rules are broken/.test(refused.err) &&
      readdirSync(backups).length === names.length,
    refused.err,
  );
  const noted = connect(server.url, { most: 1 });
  const [routine] =
    await noted`select succeeded, succeeded_at is not null as once from routines where routine = 'backup'`;
  await noted.end();
  see(
    'and the failure is noted beside the last success',
    routine?.['succeeded'] === false && routine?.['once'] === true,
  );

  await drillPgBackRest({ folder, onEnd, see });
});
