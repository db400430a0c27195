import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBase62 } from '../../src/base/random.ts';
import { askErasure, showPerson } from '../../src/privacy/ask-erasure.ts';
import { readPersonValues } from '../../src/privacy/person-values.ts';
import { selectErasures } from '../../src/privacy/queries/erasures.ts';
import { eraseDue } from '../../src/privacy/start-erasing.ts';
import { payableOf } from './credit.ts';
import { type Letter, writeLetter } from './model/letter.ts';
import { accountDigits } from './model/merchants.ts';
import { openInstallation, type Real } from './model/real.ts';

export type ErasingStage = Awaited<ReturnType<typeof openErasingStage>>;

/** A shop with a customer whose traces are to go: real mails, judged, and the worker's rounds. */
export async function openErasingStage() {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-erase-'));
  const installation = await openInstallation();
  let real: Real;
  const world = () => real.api.world;
  const shop = () => real.merchants[0]!;
  const who = () => ({
    merchantId: shop().merchantId,
    actor: 'owner@shop.in',
    address: '',
    now: world().clock.now(),
  });
  const stage = {
    folder,
    world,
    who,
    elsewhere: () => real.merchants[1]!.merchantId,
    get: (orderId: string) => real.api.get(`/orders/${orderId}`, shop().apiKey),
    /** Businesses of its own for each test, and a list of its own. */
    async begin() {
      real = await installation.begin();
      for (const table of ['erasures', 'erasure_keys', 'delivery_log', 'raw_mails', 'order_archives'])
        await world().sql.unsafe(`delete from ${table}`);
      world().config = { ...world().config, erasuresFile: join(folder, `${randomBase62(8)}.json`) };
    },
    async create(change: Record<string, unknown> = {}) {
      return (await real.api.create({ amount: 500, customer, ...change }, shop().apiKey)).json();
    },
    /** The bank's mail about this sum, judged. */
    async pay(amount: number, change: Partial<Letter> = {}): Promise<string> {
      const date = world().clock.now().getTime();
      const letter = writeLetter({
        to: [shop().address],
        amount,
        digits: accountDigits[0]!,
        reference,
        date,
        signedAt: date,
        payer: '9876543210',
        ...change,
      });
      const alertId = await real.store(0, letter);
      await real.work();
      return alertId;
    },
    /** An order and the mail that pays it. */
    async buy(change: Record<string, unknown> = {}, letter: Partial<Letter> = {}) {
      const order = await stage.create(change);
      assert.ok(order.order_id, JSON.stringify(order));
      return { order, alertId: await stage.pay(payableOf(order), letter) };
    },
    /** Does what the senders do when the shop has answered. */
    async deliver() {
      await world().sql`
        with sent as (delete from delivery_queue returning *)
        insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, response, asked_by)
        select s.merchant_id, s.delivery_id, s.event_id, s.attempt, 'delivered', s.due_at, s.due_at,
          'thanks, ' || coalesce(b.body::jsonb #>> '{data,customer,name}', ''), s.asked_by
        from sent s join event_bodies b on b.merchant_id = s.merchant_id and b.event_id = s.event_id`;
    },
    ask: (text: string) => world().sql.begin(tx => askErasure(tx, world(), who(), readPersonValues(text)!)),
    erase: () => eraseDue(world(), 'test'),
    reportOf: async () => (await selectErasures(world().sql, who().merchantId, 1))[0]!,
    show: (text: string, merchantId = who().merchantId) =>
      showPerson(world(), merchantId, readPersonValues(text)!, { whole: true }),
    /** Tables that contain one of the person's values, as a dump of the database would show it. */
    async left(): Promise<string[]> {
      const { sql } = world();
      const tables = await sql<{ name: string }[]>`
        select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r'`;
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await sql.unsafe(
          `select from ${name} t where exists (select from unnest($1::text[]) v where position(v in t::text) > 0) limit 1`,
          [personValues],
        );
        if (rows.length > 0) found.push(name);
      }
      return found.sort();
    },
    async stop() {
      await installation.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await stage.begin();
  return stage;
}

const customer = { name: 'Rahul Sharma', email: 'rahul.sharma@example.in', phone: '+91 98765 43210' };
export const reference = '691234567890';
/** No value is so short that a random id or hash holds it by chance. */
export const personValues = ['Rahul', 'rahul.sharma', '98765 43210', '9876543210', reference];
