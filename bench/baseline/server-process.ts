import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { Pool } from 'pg';
import PostalMime from 'postal-mime';
import encodeQR from 'qr';
import { SMTPServer } from 'smtp-server';

/**
 * The program that an engineer would write in a day for one shop: orders with a free amount, the bank's signed mail, a webhook with
 * retries. It uses Milaan's libraries. It checks who signed a mail, pays an order once and counts a reference once.
 */
const { DATABASE_URL, DNS_SERVERS, API_KEY = '', SMTP_PORT, WEBHOOK_SECRET = '' } = process.env;
const bankDomain = 'hdfcbank.bank.in';
const credit =
  /Rs\.([\d,]+\.\d\d) has been successfully credited to your HDFC Bank account .*?UPI Reference No\.: (\d{12})/;
const retryPauses = [1, 10, 60, 600, 3600].map(seconds => seconds * 1000);
type Order = {
  order_id: string;
  amount: number;
  payable: number;
  status: string;
  expires_at: Date;
  webhook_url: string;
};

const db = new Pool({ connectionString: DATABASE_URL, max: 10 });
const dns = new Resolver();
if (DNS_SERVERS !== undefined) dns.setServers([DNS_SERVERS]);

await db.query(`
  create table if not exists orders (
    order_id text primary key, merchant_order_id text not null unique, amount int not null, payable int not null,
    status text not null default 'pending', bank_reference text unique, webhook_url text not null,
    created_at timestamptz not null default now(), expires_at timestamptz not null default now() + interval '5 minutes');
  create unique index if not exists orders_payable on orders (payable) where status = 'pending'`);
setInterval(
  () =>
    db
      .query("update orders set status = 'expired' where status = 'pending' and expires_at < now()")
      .catch(console.error),
  10_000,
);

const app = fastify();
app.addHook('onRequest', async (request, reply) => {
  const given = Buffer.from(String(request.headers['x-api-key'] ?? ''));
  const isOurs = given.length === API_KEY.length && timingSafeEqual(given, Buffer.from(API_KEY));
  if (!isOurs) return reply.code(401).send({ error: 'unauthorized' });
});
const bodySchema = {
  type: 'object',
  required: ['amount', 'merchant_order_id', 'webhook_url'],
  properties: {
    amount: { type: 'number', minimum: 1, maximum: 100_000 },
    merchant_order_id: { type: 'string', minLength: 1, maxLength: 100 },
    webhook_url: { type: 'string', format: 'uri' },
  },
};
type Body = { amount: number; merchant_order_id: string; webhook_url: string };
app.post<{ Body: Body }>('/api/v1/orders', { schema: { body: bodySchema } }, async (request, reply) => {
  const { amount, merchant_order_id, webhook_url } = request.body;
  const paise = Math.round(amount * 100);
  for (let attempt = 0; attempt < 20; attempt++) {
    const id = `ML-${randomInt(1e9, 1e10)}`;
    const { rows } = await db.query<Order>(
      `insert into orders (order_id, merchant_order_id, amount, payable, webhook_url) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning *`,
      [id, merchant_order_id, paise, paise + randomInt(1, 300), webhook_url],
    );
    if (rows[0]) return reply.code(201).send(present(rows[0]));
    const { rows: known } = await db.query<Order>('select * from orders where merchant_order_id = $1', [
      merchant_order_id,
    ]);
    if (known[0]) return reply.send(present(known[0]));
  }
  return reply.code(503).send({ error: 'no amount is free' });
});
app.get<{ Params: { id: string } }>('/api/v1/orders/:id', async (request, reply) => {
  const { rows } = await db.query<Order>('select * from orders where order_id = $1', [request.params.id]);
  return rows[0] ? present(rows[0]) : reply.code(404).send({ error: 'not found' });
});

function present({ order_id, amount, payable, status, expires_at }: Order) {
  const uri = `upi://pay?pa=chai@okaxis&pn=Chai%20Point&am=${(payable / 100).toFixed(2)}&cu=INR&tr=${order_id}`;
  const qr = `data:image/svg+xml;base64,${Buffer.from(encodeQR(uri, 'svg')).toString('base64')}`;
  return {
    order_id,
    amount: amount / 100,
    payable_amount: payable / 100,
    status,
    expires_at,
    upi_uri: uri,
    qr_base64: qr,
  };
}

async function takeMail(raw: Buffer): Promise<void> {
  const { results } = await dkimVerify(raw, { resolver: (name: string) => dns.resolveTxt(name) });
  const mail = await PostalMime.parse(raw);
  const isSigned = results.some(one => one.status.result === 'pass' && one.signingDomain === bankDomain);
  if (!isSigned || !mail.from?.address?.endsWith(`@${bankDomain}`)) return;
  const words = (mail.text ?? mail.html ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const [, amount = '', reference] = credit.exec(words) ?? [];
  if (reference === undefined) return;
  const { rows } = await db.query<Order>(
    `update orders set status = 'paid', bank_reference = $2
     where payable = $1 and status = 'pending' and expires_at > now() returning *`,
    [Math.round(Number(amount.replaceAll(',', '')) * 100), reference],
  );
  if (rows[0]) void notify(rows[0], reference);
}

async function notify(order: Order, reference: string): Promise<void> {
  const { qr_base64: _, ...data } = present(order);
  const body = JSON.stringify({ type: 'payment.paid', data: { ...data, bank_reference: reference } });
  const id = `msg_${randomBytes(12).toString('hex')}`;
  for (const pause of [0, ...retryPauses]) {
    await sleep(pause);
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${id}.${time}.${body}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    try {
      const answer = await fetch(order.webhook_url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(10_000),
      });
      await answer.text();
      if (answer.ok) return;
    } catch {
      // Try again after the next pause.
    }
  }
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  size: 1024 * 1024,
  onData(stream, _session, done) {
    buffer(stream)
      .then(takeMail)
      .then(
        () => done(),
        error => (/duplicate key/.test(error.message) ? done() : done(error)),
      );
  },
});
await new Promise<void>(resolve => smtp.listen(Number(SMTP_PORT), '127.0.0.1', resolve));
console.log(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
