import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import { openLiveShop } from '../../test/support/live-shop.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { debianPostgres, startPrimary } from '../standby/postgres.ts';
import { firstRelease, released } from '../two-versions/trees.ts';
import { blocks, openShell, ready } from './typing.ts';

type Order = { order_id: string; payable_amount: number; payment_url: string; status: string };

/** 0.1.0 as its own guide set it up, with orders in every state, and then the notes "From 0.1.0", block by block. */
export async function upgradeFirstRelease(stage: Stage): Promise<void> {
  const { see, onEnd } = stage;
  const folder = join(stage.folder, 'upgrade');
  mkdirSync(folder, { mode: 0o711 });
  const { type, step } = openShell({ ...stage, folder });
  let refusing = false;
  const shop = await openLiveShop((response, { url = '' }) =>
    response.writeHead(refusing && url.includes('untold') ? 500 : 200).end(),
  );
  onEnd(() => shop.stop());
  const ca = shop.env['IMAP_CA_FILE']!;
  chmodSync(dirname(ca), 0o755);
  const server = await startPrimary(debianPostgres()!, join(folder, 'postgres'));
  onEnd(() => server.stop());
  await server.run("create role shop login password 'shop'");
  await server.run('create database pay owner shop');
  const { tree } = await released(folder, firstRelease);
  const ports = [await freePort(), await freePort(), await freePort()];
  const [base, secretKey] = [`http://127.0.0.1:${ports[0]}`, Buffer.alloc(32, 7).toString('base64')];
  const databaseUrl = `postgres://shop:shop@127.0.0.1:${server.port}/pay`;
  const env = { ...shop.env, PUBLIC_URL: 'https://pay.example.in', DATABASE_URL: databaseUrl };
  writeFileSync(
    join(folder, 'milaan.env'),
    Object.entries({ ...env, SECRET_KEY: secretKey, PORT: String(ports[0]) })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  await step(
    '0.1.0 is there as its own guide says',
    `useradd --system milaan || true; rm -rf /etc/milaan /opt/milaan; mkdir /etc/milaan; cp -a ${tree} /opt/milaan
awk '/^\`\`\`ini/{on=1; next} /^\`\`\`/{on=0} on' ${tree}/docs/operating.md | sed '/^pool_mode/,$d' > /etc/systemd/system/milaan@.service
install -m 600 -o root ${folder}/milaan.env /etc/milaan/milaan.env
echo PORT=${ports[1]} > /etc/milaan/mail.env; echo PORT=${ports[2]} > /etc/milaan/deliver.env
systemctl start milaan@web milaan@mail milaan@deliver`,
  );
  onEnd(() => type('systemctl stop'));
  for (const port of ports) await ready(port);
  // Its own: it knows how a business of its time is written.
  const { connectShop } = await import(`${tree}/test/support/live-shop.ts`);
  const { apiKey } = await connectShop(shop, databaseUrl, secretKey);
  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${base}/api/v1/orders${path}`, {
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Order;
  };
  const url = 'https://shop.example.com/';
  const order = (name: string) =>
    call('', {
      amount: 499,
      merchant_order_id: name,
      success_url: url,
      failure_url: url,
      webhook_url: `${shop.receiver.url}/${name}`,
    });
  const webhooksOf = (name: string) => shop.receiver.received.filter(({ path }) => path.endsWith(`/${name}`));
  const paid = ({ order_id }: Order) =>
    waitFor('paid', async () => (await call(`/${order_id}`)).status === 'paid');
  const [first, unnotified, meanwhile, open] = [
    await order('first'),
    await order('untold'),
    await order('meanwhile'),
    await order('open'),
  ];
  refusing = true;
  for (const one of [first, unnotified]) await shop.bankWrites(one.payable_amount);
  for (const one of [first, unnotified]) await paid(one);
  await waitFor('told or refused', () => webhooksOf('first').length > 0 && webhooksOf('untold').length > 0);
  const before = await call(`/${first.order_id}`);

  const [beside = '', stopped = '', instead = ''] = blocks('docs/upgrade.md', 'sh', '## From 0.1.0');
  await step(
    'beside it: 0.2.0, and what will be done',
    beside,
    /Older processes cannot run with this schema/,
  );
  await step(
    'too early is refused',
    'cd /opt/milaan-0.2.0; bin/milaan upgrade',
    /stop every older process/,
    1,
  );
  const [stop = '', ...rest] = stopped.split('\n');
  await step('everything is stopped', stop);
  await shop.bankWrites(meanwhile.payable_amount);
  await step('dumped, upgraded, verified', `cd /opt/milaan-0.2.0; ${rest.join('\n')}`, /all rules hold/);
  const attempts = webhooksOf('untold').length;
  refusing = false;
  // Doctor misses a public address and a backup here.
  await step('in its place and started', instead, /FAULT {4}backup/, 1);
  for (const port of ports) await ready(port);
  await paid(meanwhile);
  see('what the bank wrote meanwhile is paid', true);
  await shop.bankWrites(open.payable_amount);
  await paid(open);
  see('an order of before is paid after', true);
  await waitFor('the webhook of before', () => webhooksOf('untold').length > attempts, 300_000);
  const [refused, taken] = [webhooksOf('untold')[0]!, webhooksOf('untold').at(-1)!];
  const same = refused.body === taken.body && refused.headers['webhook-id'] === taken.headers['webhook-id'];
  see('a webhook of before is told after, with its id and its bytes', same, `${refused.body}\n${taken.body}`);
  await waitFor('told', () => webhooksOf('meanwhile').length > 0 && webhooksOf('open').length > 0);
  see('what was told is not told again', webhooksOf('first').length === 1);
  const after = { ...(await call(`/${first.order_id}`)), received_amount: undefined };
  see(
    'an order reads as before',
    JSON.stringify(after) === JSON.stringify(before),
    JSON.stringify([before, after]),
  );
  see('a replay gives the same order', (await order('open')).order_id === open.order_id);
  const page = await fetch(base + new URL(first.payment_url).pathname);
  see('its page opens', page.status === 200);
}
