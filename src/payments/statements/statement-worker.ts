import { parentPort, workerData } from 'node:worker_threads';
import type { Columns } from './find-columns.ts';
import { readStatement } from './read-statement.ts';

export type StatementTask = { bytes: Uint8Array; chosen: Columns | null };

const { bytes, chosen } = workerData as StatementTask;
parentPort?.postMessage(
  await readStatement(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), chosen),
);
