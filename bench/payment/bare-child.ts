import { deflateSync } from 'node:zlib';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { Pool } from 'undici';
import { connect } from '../../src/base/database/connect.ts';
import { hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';

/** Each unavoidable part of a payment alone, in a process that does nothing else. */
export type BareTask = { part: BarePart; count: number; atOnce: number };
export type BarePart = 'verify' | 'rows' | 'post';

const [databaseUrl = '', shopUrl = ''] = process.argv.slice(2);
const sql = connect(databaseUrl, { most: 8 });
const { origin, pathname } = new URL(shopUrl);
const shop = new Pool(origin, { connections: 8, pipelining: 1 });
const records = hdfcRecords();
const sentAt = new Date();
const mails = Array.from({ length: 40 }, (_, number) =>
  hdfcMail({
    amount: `${500 + number}.37`,
    reference: String(695300112233 + number),
    to: 'merchant@shop.in',
    sentAt,
  }),
);
const kept = deflateSync(mails[0]!);
const body = JSON.stringify({ type: 'payment.paid', data: 'x'.repeat(900) });
const headers = { 'content-type': 'application/json', 'webhook-signature': `v1,${'a'.repeat(44)}` };
let row = 0;

const parts: Record<BarePart, (number: number) => Promise<void>> = {
  async verify(number) {
    const { results } = await dkimVerify(mails[number % mails.length]!, {
      strict: true,
      minBitLength: 1024,
      curTime: sentAt,
      resolver: async (name: string) => [[records[name]!]],
    });
    if (results.some(({ status }) => status.result !== 'pass')) throw new Error('a signature is broken');
  },
  async rows() {
    const id = `al_${++row}`;
    await sql`insert into bench.rows (id, raw) values (${id}, ${kept})`;
    await sql`update bench.rows set verdict = 'paid' where id = ${id}`;
  },
  async post() {
    const answer = await shop.request({ method: 'POST', path: pathname, headers, body });
    await answer.body.dump();
  },
};

await sql.unsafe('create table bench.rows (id text primary key, raw bytea not null, verdict text)');
process.on('message', async ({ part, count, atOnce }: BareTask) => {
  const before = process.cpuUsage();
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < count; number = next++) await parts[part](number);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / count);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
