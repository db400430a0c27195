import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Entry, readTar, tarEnd, tarEntry } from '../../src/base/tar.ts';
import { tablesOfAMerchant } from '../../src/business/accounts/queries/merchants.ts';
import { newFile, places } from './moving-stage.ts';

export type Row = Record<string, unknown>;
export type Archive = { head: Row; tables: Map<string, Row[]>; files: Map<string, Entry[]>; end: Row };

/** A small business of release 0.2.0, exported by that release: orders of every status, links, notices, people. */
export const oldArchive = `${import.meta.dirname}/archive-of-0.2.0.tar.gz`;

export async function readArchive(file: string): Promise<Archive> {
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
  return { head, tables, files, end: {} };
}

/** Anybody could write such an archive by hand: its hashes are right, whatever it says. `raw` puts JSON in for a text. */
export function archiveBytes(
  { head, tables, files, end }: Archive,
  raw: Record<string, string> = {},
): Buffer {
  const write = (value: unknown) =>
    Object.entries(raw).reduce(
      (text, [from, to]) => text.replaceAll(JSON.stringify(from), to),
      JSON.stringify(value),
    );
  const forged: Entry[] = [{ name: 'milaan.json', content: Buffer.from(write(head)) }];
  const written: Row = {};
  for (const [table, rows] of tables) {
    const text = rows.map(row => `${write(row)}\n`).join('');
    const all = [{ name: `${table}/000001.jsonl`, content: Buffer.from(text) }, ...(files.get(table) ?? [])];
    const hash = createHash('sha256');
    for (const { content } of all) hash.update(content);
    written[table] = { rows: rows.length, sha256: hash.digest('hex') };
    forged.push(...all);
  }
  forged.push({ name: 'end.json', content: Buffer.from(write({ written, ...end })) });
  return Buffer.concat([...forged.map(entry => tarEntry(entry, new Date(0))), tarEnd]);
}

export function writeArchive(
  archive: Archive,
  raw: Record<string, string> = {},
  change = (bytes: Buffer): Buffer => bytes,
): string {
  return writeBytes(change(archiveBytes(archive, raw)));
}

export function writeBytes(bytes: Buffer): string {
  const into = newFile();
  writeFileSync(into, gzipSync(bytes, { level: 1 }));
  return into;
}

/** So that the same business can arrive again. */
export async function removeArrived(merchantId: number): Promise<void> {
  const rows = [...tablesOfAMerchant, 'counted_signatures'].map(
    table => `delete from ${table} where merchant_id = ${merchantId};`,
  );
  await places.to.world.sql.begin(tx =>
    tx.unsafe(`select set_config('milaan.removing_business', '${merchantId}', true); ${rows.join('')}`),
  );
}
