import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Entry, readTar, tarEnd, tarEntry } from '../../../src/operator/moving/tar.ts';
import { busyShop, exported, milaan, newFile, openMovingStage, places } from '../../support/moving-stage.ts';
import { addTestMerchant } from '../../support/test-world.ts';

openMovingStage();

type Row = Record<string, unknown>;
type Change = (head: Row, tables: Map<string, Row[]>, files: Map<string, Entry[]>) => void;

/** An archive as anybody could write it by hand: its hashes are right, whatever it says. */
async function forge(file: string, change: Change): Promise<string> {
  const entries: Entry[] = [];
  for await (const entry of readTar(Readable.from([gunzipSync(readFileSync(file))]))) entries.push(entry);
  const head = JSON.parse(entries[0]!.content.toString());
  const tables = new Map<string, Row[]>();
  const files = new Map<string, Entry[]>();
  for (const entry of entries.slice(1, -1)) {
    const table = entry.name.split('/')[0]!;
    const lines = () => entry.content.toString().trimEnd().split('\n');
    if (!entry.name.endsWith('.jsonl')) files.set(table, [...(files.get(table) ?? []), entry]);
    else tables.set(table, [...(tables.get(table) ?? []), ...lines().map((line): Row => JSON.parse(line))]);
  }
  change(head, tables, files);
  const forged = [{ name: 'milaan.json', content: Buffer.from(JSON.stringify(head)) }];
  const written: Row = {};
  for (const [table, rows] of tables) {
    const text = rows.map(row => `${JSON.stringify(row)}\n`).join('');
    const all = [{ name: `${table}/000001.jsonl`, content: Buffer.from(text) }, ...(files.get(table) ?? [])];
    const hash = createHash('sha256');
    for (const { content } of all) hash.update(content);
    written[table] = { rows: rows.length, sha256: hash.digest('hex') };
    forged.push(...all);
  }
  forged.push({ name: 'end.json', content: Buffer.from(JSON.stringify({ written })) });
  const into = newFile();
  const bytes = forged.map(entry => tarEntry(entry, new Date(0)));
  writeFileSync(into, gzipSync(Buffer.concat([...bytes, tarEnd]), { level: 1 }));
  return into;
}

const arrive = (file: string) => milaan(places.to.world, 'import-business', { file });

async function refused(file: string, why: RegExp, change: Change): Promise<void> {
  let business: unknown;
  const forged = await forge(file, (head, tables, files) => {
    business = head['business'];
    change(head, tables, files);
  });
  await assert.rejects(arrive(forged), why);
  const rows = await places.to.world.sql`select from merchants where merchant_id = ${business as number}`;
  assert.equal(rows.length, 0, 'nothing of it stays');
}

async function small() {
  const merchant = await addTestMerchant(places.from.world);
  return { ...merchant, file: await exported(merchant.merchantId) };
}

test('an archive says which of the two kinds it is, and names a business: nothing else is taken for one', async () => {
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
