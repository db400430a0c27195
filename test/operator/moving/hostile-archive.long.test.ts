import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { mostMailBytes } from '../../../src/alerts/mail/limits.ts';
import type { Entry } from '../../../src/base/tar.ts';
import { type Row, readArchive, writeArchive } from '../../support/forge-archive.ts';
import { arrive, busyShop, exported, openMovingStage, places } from '../../support/moving-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';

openMovingStage();

type Change = (head: Row, tables: Map<string, Row[]>, files: Map<string, Entry[]>) => void;

async function forge(file: string, change: Change): Promise<string> {
  const archive = await readArchive(file);
  change(archive.head, archive.tables, archive.files);
  return writeArchive(archive);
}

async function refused(file: string, why: RegExp, change: Change): Promise<void> {
  let merchant: unknown;
  const forged = await forge(file, (head, tables, files) => {
    merchant = head['business'];
    change(head, tables, files);
  });
  await assert.rejects(arrive(forged), why);
  const rows = await places.to.world.sql`select from merchants where merchant_id = ${merchant as number}`;
  assert.equal(rows.length, 0, 'nothing of it stays');
}

async function small() {
  const merchant = await addTestMerchant(places.from.world);
  return { ...merchant, file: await exported(merchant.merchantId) };
}

test('an archive without its kind and its business is refused', async () => {
  const { file } = await small();
  const heads: Row[] = [{ kind: 'whatever' }, { kind: undefined }, { kind: ['leaving'] }];
  heads.push({ business: 0 }, { business: -1 }, { business: 1.5 }, { business: '7' });
  heads.push({ name: 7 }, { version: null }, { schema: {} });
  for (const head of heads)
    await refused(file, /its head is not one that this program writes/, all => Object.assign(all, head));
  await refused(file, /written with another SECRET_KEY/, (head, tables) => {
    head['kind'] = 'inside';
    tables.get('merchants')![0]!['webhook_secret'] = 'x';
    tables.delete('users');
  });
  await arrive(file);
});

test('parts that never leave an installation are not imported: columns, rows, and an operator', async () => {
  const { file, merchantId } = await small();
  const at = '2026-01-01T00:00:00Z';
  const address = { merchant_id: merchantId, address: 'victim@gmail.example', added_at: at };
  const erasure = {
    merchant_id: merchantId,
    erasure_id: 'ers_1',
    asked_at: at,
    asked_by: 'a',
    marks: [],
    watch_until: at,
  };
  const user = { merchant_id: merchantId, user_id: 'usr_op', email: 'op@example.in', created_at: at };
  const cases: [string, Row, RegExp][] = [
    ['extra_alert_addresses', { ...address, confirmed_at: at }, /has confirmed_at, which never leaves/],
    ['alerts', { merchant_id: merchantId, alert_id: 'a', claim: 'x' }, /has claim, which never leaves/],
    ['erasures', { ...erasure, next_at: at }, /or such as never leave/],
    ['users', { ...user, role: 'operator' }, /one of its people is an operator/],
    ['users', { ...user, role: 'owner', password_hash: 'x' }, /has password_hash, which never leaves/],
  ];
  for (const [table, row, why] of cases)
    await refused(file, why, (_head, tables) => tables.set(table, [row]));
  await refused(file, /has terms_version, look_until, sells_plans, which never leaves/, (_head, tables) =>
    Object.assign(tables.get('merchants')![0]!, {
      sells_plans: true,
      look_until: at,
      terms_version: 'never',
    }),
  );
});

test('all rows of a table have the same columns: none is dropped because the first row lacks it', async () => {
  const { merchantId } = await busyShop();
  await refused(await exported(merchantId), /orders.* have unlike columns/, (_head, tables) => {
    delete tables.get('orders')![0]!['received_paise'];
  });
});

test('an excessive number uses up no sequence of the installation', async () => {
  const { merchantId } = await busyShop();
  const file = await exported(merchantId);
  const counters = () => places.to.world.sql`
    select (select last_value from arrivals) as arrivals, (select last_value from delivery_ids) as deliveries`;
  const before = await counters();
  for (const far of ['9223372036854765806', 2_000_000_000])
    await refused(
      file,
      // An order that a mail paid breaks R14 first: the mail was stored before it was created.
      /implausibly large .*orders.arrival_number|arrival_number of its orders is further than anybody counts|R14/,
      (_head, tables) => {
        tables.get('orders')![0]!['arrival_number'] = far;
      },
    );
  assert.deepEqual(await counters(), before);
});

test('mails and archives that unpack to more than the limit are refused, as are more files than rows', async () => {
  const { merchantId } = await busyShop();
  const file = await exported(merchantId);
  const bomb = deflateSync(Buffer.alloc(2 * mostMailBytes));
  const mails =
    (change: (entries: Entry[]) => void) => (_head: Row, _tables: unknown, files: Map<string, Entry[]>) =>
      change(files.get('raw_mails')!);
  const tooLarge = /larger than anything that is stored here/;
  await refused(
    file,
    tooLarge,
    mails(entries => Object.assign(entries[0]!, { name: 'raw_mails/x.bin', content: bomb })),
  );
  await refused(
    file,
    tooLarge,
    mails(entries => Object.assign(entries[0]!, { content: Buffer.alloc(mostMailBytes + 1) })),
  );
  await refused(
    file,
    /one too many for its rows/,
    mails(entries => entries.push(entries[0]!)),
  );
  await refused(file, tooLarge, (_head, tables, files) => {
    const month = {
      merchant_id: merchantId,
      month: '2026-01-01',
      part: 1,
      orders: 1,
      created_at: '2026-02-01',
    };
    tables.set('order_archives', [month]);
    files.set('order_archives', [
      { name: 'order_archives/x.csv.gz', content: gzipSync(Buffer.alloc(65 << 20)) },
    ]);
  });
});

test('names in a file cannot write control characters to the operator’s terminal', async () => {
  const { file } = await small();
  await assert.rejects(
    arrive(await forge(file, head => Object.assign(head, { name: 'a\u001b[2J\u202eb' }))),
    /^Error: [^\u001b\u202e]+ is refused: its head is not one that this program writes; nothing was imported$/,
  );
  await assert.rejects(
    arrive(await forge(file, head => Object.assign(head, { format: '\u001b[2J' }))),
    /has form {2}\[2J,/,
  );
});

test('reading stops early in a small file that unpacks to far more', async () => {
  const { file } = await small();
  const forged = await forge(file, (_head, tables) => {
    const padded = Array.from({ length: 900 }, () => ({ merchant_id: 1, details: 'x'.repeat(60_000) }));
    for (const table of ['notices', 'mails', 'daily_summaries', 'failing_destinations'])
      tables.set(table, padded);
  });
  writeFileSync(forged, gzipSync(gunzipSync(readFileSync(forged)), { level: 9 }));
  await assert.rejects(arrive(forged), /unpacks to more than \d+ bytes; nothing was imported/);
});
