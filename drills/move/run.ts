import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/base/database/connect.ts';
import { newSecretKey } from '../../src/base/secrets.ts';
import { install } from '../../test/support/install.ts';
import { connectShop, createPatiently, type LiveOrder, openLiveShop } from '../../test/support/live-shop.ts';
import { type Program, startReady } from '../../test/support/program.ts';
import { runMilaan } from '../../test/support/run-milaan.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill } from '../play-drill.ts';
import { debianPostgres, startPrimary } from '../standby/postgres.ts';

/** `npm run drill -- move`: a business leaves one installation for another and moves inside that one, killed at each step. */
install('the drill needs', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/bin/age', 'age'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);

type Place = { url: string; env: Record<string, string>; program: Program };

await playDrill('move drill', async ({ folder, onEnd, see }) => {
  let isShopUp = false;
  const shop = await openLiveShop((response, request) => {
    response.writeHead(isShopUp || !request.url?.endsWith('/waits') ? 200 : 503).end('ok');
  });
  onEnd(() => shop.stop());
  const server = await startPrimary(debianPostgres() ?? '', join(folder, 'server'));
  onEnd(() => server.stop());
  const open = async (name: string, secretKey: string): Promise<Place> => {
    if (name !== 'milaan') await server.run(`create database ${name}`);
    const url = server.url.replace(/milaan$/, name);
    const env = {
      ...shop.env,
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: url,
      SECRET_KEY: secretKey,
    };
    const program = await startReady(folder, { env });
    onEnd(async () => {
      program.child.kill('SIGTERM');
      await program.ended;
    });
    return { url, env, program };
  };
  const [oldKey, newKey] = [newSecretKey(), newSecretKey()];
  const source = await open('milaan', oldKey);
  const target = await open('milaan_target', newKey);
  const rows = async ({ url }: Place, text: string) => {
    const sql = connect(url, { most: 1 });
    return await sql.unsafe(text).finally(() => sql.end());
  };
  const ask = async (place: Place, path: string) => {
    const answer = await fetch(`${place.program.url}${path}`, { headers: { 'x-api-key': merchant.apiKey } });
    return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.text() };
  };
  const notified = (order: LiveOrder) =>
    shop.receiver.received.filter(
      ({ body, path }) => body.includes(order.order_id) && !path.endsWith('/waits'),
    );
  const create = async (place: Place, path = '') =>
    (
      await createPatiently(place.program.url, merchant.apiKey, {
        amount: 500,
        webhook_url: shop.receiver.url + path,
      })
    ).order;

  const merchant = await connectShop(shop, source.url, oldKey);
  const merchantId = String(merchant.merchantId);
  const paid = await create(source);
  await shop.bankWrites(paid.payable_amount);
  await waitFor('the first webhook', () => notified(paid).length === 1);
  const waits = await create(source, '/waits');
  await shop.bankWrites(waits.payable_amount);
  await waitFor('a refused webhook', () =>
    shop.receiver.received.some(({ path }) => path.endsWith('/waits')),
  );
  const between = await create(source);
  const paidBefore = await ask(source, `/api/v1/orders/${paid.order_id}`);

  /** Kills the command while it waits for this lock. The next one starts again. */
  const killAt = async (place: Place, table: string, args: string[]) => {
    const sql = connect(place.url, { most: 1 });
    // The command does not wait for sessions named pg_dump as it does for writers.
    const held = await sql.reserve({ patient: true });
    await held.unsafe(
      `set application_name = 'pg_dump'; begin; lock table ${table} in access exclusive mode`,
    );
    const child = spawn(process.execPath, ['src/cli.ts', '--env-file=/dev/null', ...args], {
      env: place.env,
      stdio: 'ignore',
    });
    const ended = new Promise(resolve => child.once('exit', (_, signal) => resolve(signal)));
    await waitFor(`${args[0]} at ${table}`, async () => {
      const [row] = await rows(
        place,
        `select 1 from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.application_name like '%command' and l.relation = '${table}'::regclass`,
      );
      return row !== undefined;
    });
    child.kill('SIGKILL');
    const signal = await ended;
    await held.unsafe('rollback');
    held.release();
    await sql.end();
    return signal;
  };

  const identity = join(folder, 'key.txt');
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' });
  const key = /public key: (\S+)/.exec(readFileSync(identity, 'utf8'))?.[1] ?? '';
  const file = join(folder, 'business.tar.gz.age');
  const leaving = ['export-business', '--business', merchantId, '--into', file, '--key', key];

  for (const table of ['upi_accounts', 'raw_mails', 'counted_signatures']) {
    const signal = await killAt(source, table, leaving);
    see(
      `an export killed at ${table} leaves no file, and the business closed`,
      signal === 'SIGKILL' && !existsSync(file),
    );
  }
  await shop.bankWrites(between.payable_amount);
  const refused = await ask(source, '/api/v1/orders');
  see('the source answers 403', refused.status === 403, refused.body);
  const shown = await ask(source, `${new URL(between.payment_url).pathname}/status`);
  see(
    'its payment page says that nothing can be paid here',
    JSON.parse(shown.body).payable === false,
    shown.body,
  );
  const written = await runMilaan(source.env, ...leaving);
  see('begun again it ends', written.code === 0 && existsSync(file), written.err);
  see(
    'its file cannot be read without the key',
    readFileSync(file).subarray(0, 21).toString() === 'age-encryption.org/v1',
  );

  const arriving = ['import-business', file, '--identity', identity];
  for (const table of ['upi_accounts', 'raw_mails', 'delivery_queue']) {
    const signal = await killAt(target, table, arriving);
    const [row] = await rows(
      target,
      'select (select count(*) from merchants) + (select count(*) from orders) as count',
    );
    const strange = await ask(target, '/api/v1/orders');
    see(
      `an import killed at ${table} leaves nothing`,
      signal === 'SIGKILL' && row?.['count'] === 0 && strange.status === 401,
    );
  }
  isShopUp = true;
  const arrived = await runMilaan(target.env, ...arriving);
  see(
    'begun again it arrives',
    arrived.code === 0 && /has arrived: 3 orders, 2 alerts/.test(arrived.out),
    arrived.err + arrived.out,
  );
  const twice = await runMilaan(target.env, ...arriving);
  see('and only once', twice.code === 1 && /is here already/.test(twice.err), twice.err);
  const paidAfter = await ask(target, `/api/v1/orders/${paid.order_id}`);
  see('the paid order reads the same, byte for byte', paidAfter.body === paidBefore.body, paidAfter.body);
  await waitFor(
    'the delivery that waited',
    async () =>
      (
        await rows(
          target,
          `select 1 from delivery_log where state = 'delivered' and event_id in
        (select event_id from events where order_id = '${waits.order_id}')`,
        )
      ).length === 1,
  );
  see('the webhook that waited is sent from its new place', true);

  await connectShop(shop, target.url, newKey, merchant);
  await waitFor('the order that was open in between', async () => {
    const answer = await ask(target, `/api/v1/orders/${between.order_id}`);
    return JSON.parse(answer.body).status === 'paid';
  });
  await waitFor('its webhook', () => notified(between).length > 0);
  const events = (place: Place) =>
    rows(place, `select from events where order_id = '${between.order_id}' and type = 'payment.paid'`);
  see(
    'paid after the move, told once, with one payment.paid',
    notified(between).length === 1 &&
      (await events(target)).length === 1 &&
      (await events(source)).length === 0,
  );
  const kept = await rows(source, 'select from alerts');
  see('the source has read no mail since', kept.length === 2, String(kept.length));
  see('what was told before was not told again', notified(paid).length === 1);

  const near = await open('milaan_near', newKey);
  const open2 = await create(target);
  const inside = join(folder, 'inside.tar.gz');
  const moving = ['export-business', '--business', merchantId, '--into', inside, '--inside'];
  await killAt(target, 'orders', moving);
  const paused = await ask(target, `/api/v1/orders/${open2.order_id}`);
  const page = await ask(target, new URL(open2.payment_url).pathname);
  see(
    'inside one installation the source answers 503 with Retry-After, its page too',
    paused.status === 503 && paused.retry === '5' && page.status === 503 && page.retry === '5',
    paused.body,
  );
  await shop.bankWrites(open2.payable_amount);
  const stranger = await runMilaan(target.env, ...moving);
  see('and its file is written', stranger.code === 0, stranger.err);
  const wrongKey = await runMilaan({ ...near.env, SECRET_KEY: oldKey }, 'import-business', inside);
  see('another key refuses it', wrongKey.code === 1 && /another SECRET_KEY/.test(wrongKey.err), wrongKey.err);
  const moved = await runMilaan(near.env, 'import-business', inside);
  see('it arrives', moved.code === 0, moved.err);
  await waitFor(
    'the payment, read with the password that travelled sealed',
    () => notified(open2).length > 0,
  );
  see(
    'an order that was open meanwhile is paid and told once, and nobody typed a password',
    notified(open2).length === 1,
  );
  for (const place of [source, target, near]) {
    const verified = await runMilaan(place.env, 'verify');
    see(`verify is clean in ${new URL(place.url).pathname.slice(1)}`, verified.code === 0, verified.out);
  }
});
