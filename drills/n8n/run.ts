import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { packPackage } from '../../scripts/pack-package.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill, type Stage } from '../play-drill.ts';
import { startMilaan } from '../woo/milaan.ts';
import { installTools, lint } from './lint.ts';
import { openN8n } from './open-n8n.ts';
import { triggerPath } from './workflows.ts';

/**
 * `N8N_DIR=… npm run drill -- n8n`: the packed nodes in a real n8n, which N8N_DIR has installed by npm (2 GB). An order
 * is made by a workflow and paid in the sandbox, the trigger fires, and forged events do not. n8n's linter and types
 * come into N8N_TOOLS, a folder that is made the first time.
 */
type Heard = { id: string; type: string; data: Record<string, unknown> };

await playDrill('n8n', async stage => {
  const tools = process.env['N8N_TOOLS'] ?? join(tmpdir(), 'n8n-tools');
  installTools(tools);
  lint(stage, tools);
  const installation = process.env['N8N_DIR'] ?? '';
  if (!existsSync(join(installation, 'node_modules/n8n/bin/n8n')))
    throw new Error('N8N_DIR must name a folder with n8n installed by npm: see docs/other-programs.md');
  const { heard, url: hearsUrl } = await listen(stage);
  const milaan = await startMilaan();
  stage.onEnd(() => milaan.stop());
  const n8n = await openN8n(stage, installation, packPackage('plugins/n8n', stage.folder), milaan, hearsUrl);

  const ask = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${n8n.url}/webhook/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const said = (await answer.json()) as Record<string, unknown> | Record<string, unknown>[];
    return { status: answer.status, items: [said].flat() };
  };
  // n8n is up before its workflows are.
  const sold = await waitFor('the workflow listens', async () => {
    const answer = await ask('sell', { amount: 499, id: 'n8n-1042' });
    return answer.status === 404 ? null : answer;
  });
  const [order] = sold.items;
  const there = await milaan.order(String(order?.['order_id']));
  stage.see(
    'a workflow makes an order',
    there['merchant_order_id'] === 'n8n-1042' && there['amount'] === 499,
    JSON.stringify([sold, there, n8n.said().slice(-2000)]),
  );
  const again = await ask('sell', { amount: 499, id: 'n8n-1042' });
  stage.see('the same id again is the same order', again.items[0]?.['order_id'] === order?.['order_id']);
  const refused = await ask('sell', { amount: -1, id: 'n8n-1043' });
  stage.see('a sum that cannot be is refused', refused.status === 500, JSON.stringify(refused));

  for (const [claim, change] of Object.entries(forgeries(milaan.file.webhook_secret))) {
    const status = await send(n8n.url + triggerPath, String(order?.['order_id']), change);
    stage.see(`an event ${claim} is refused`, status === 400, String(status));
  }
  await milaan.post(`/sandbox/orders/${order?.['order_id']}/pay`, { how: 'exact' });
  const news = await waitFor('the trigger fires', () => heard[0], 60_000).catch(error => {
    throw new Error(`${error.message}\n${n8n.said().slice(-3000)}`);
  });
  stage.see(
    'the order is paid in the sandbox, and the trigger fires with it',
    news.type === 'payment.paid' &&
      news.data['merchant_order_id'] === 'n8n-1042' &&
      news.data['status'] === 'paid',
    JSON.stringify(news),
  );
  const looked = await ask('look', { order_id: order?.['order_id'] });
  stage.see('a workflow reads it as paid', looked.items[0]?.['status'] === 'paid', JSON.stringify(looked));
  const listed = await ask('list', {});
  const found = listed.items.filter(one => one['status'] === 'paid').map(one => one['merchant_order_id']);
  stage.see('a workflow lists what is paid', found.includes('n8n-1042'), JSON.stringify(listed));
  stage.see('nothing that was forged came through', heard.length === 1, JSON.stringify(heard));
});

type Forgery = { secret: string; age?: number; change?: (body: string) => string; headers?: boolean };

function forgeries(secret: string): Record<string, Forgery> {
  return {
    'signed by somebody else': { secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
    'changed after it was signed': { secret, change: body => body.replace('"amount":1', '"amount":2') },
    'with one space more': { secret, change: body => `${body} ` },
    'of ten minutes ago': { secret, age: 600_000 },
    'without a signature': { secret, headers: false },
  };
}

async function send(
  url: string,
  order_id: string,
  { secret, age = 0, change, headers = true }: Forgery,
): Promise<number> {
  const data = { order_id, merchant_order_id: 'forged', status: 'paid', amount: 1 };
  const body = JSON.stringify({ type: 'payment.paid', timestamp: '', data });
  const time = new Date(Date.now() - age);
  const signed = {
    'webhook-id': 'evt_forged',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_forged', time, body),
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(headers && signed) },
    body: change?.(body) ?? body,
  });
  return answer.status;
}

/** The address to which the payment workflow posts. */
async function listen(stage: Stage): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push(JSON.parse(Buffer.concat(chunks).toString()) as Heard);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  stage.onEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/heard` };
}
