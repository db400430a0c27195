import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { deflateRawSync } from 'node:zlib';
import { readInThread } from '../../../src/payments/statements/read-in-thread.ts';
import { xlsxFile } from '../../support/xlsx-file.ts';

test('a ZIP bomb is stopped while it unpacks, whatever its directory claims, without blocking the event loop', async () => {
  const bomb = deflateRawSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  const rows = xlsxFile(
    [['Date', 'Credit']],
    [{ name: 'xl/sharedStrings.xml', content: Buffer.from(''), packed: bomb, claims: 10 }],
  );
  assert.ok(rows.length < 400_000);
  assert.deepEqual(await readInThread(rows, null), { fault: 'unpacks_too_large', titles: [] });
});

test('fifty thousand lines are read in a thread, without blocking the event loop', async () => {
  const lines = Array.from(
    { length: 50_000 },
    (_, at) => `14/11/2026,UPI-CUSTOMER-${at}@okaxis-${631_800_000_000 + at}-Payment for order ${at},499.37`,
  );
  const file = Buffer.from(['Date,Narration,Credit', ...lines].join('\n'));
  const statement = await readInThread(file, null);
  assert.equal('lines' in statement && statement.lines.length, 50_000);
});

test('two of many simultaneous files are read, and the others are refused at once', async () => {
  let [present, most] = [0, 0];
  const count = (worker: Worker) => {
    most = Math.max(most, ++present);
    worker.once('exit', () => present--);
  };
  process.on('worker', count);
  const file = Buffer.from('Date,Narration,Credit\n14/11/2026,UPI 691812345678,5.00\n');
  const read = await Promise.all(Array.from({ length: 6 }, () => readInThread(file, null)));
  process.off('worker', count);
  assert.deepEqual(
    read.map(one => ('fault' in one ? one.fault : one.lines.length)),
    [1, 1, 'busy', 'busy', 'busy', 'busy'],
  );
  assert.equal(most, 2);
  assert.ok('lines' in (await readInThread(file, null)), 'and whoever comes afterwards has room');
});
