import { parentPort, workerData } from 'node:worker_threads';
import { searchPart, type Wanted } from './search-part.ts';

export type SearchTask = Wanted & { parts: readonly Uint8Array[] };

const { parts, ...wanted } = workerData as SearchTask;
try {
  parentPort?.postMessage(parts.map(part => searchPart(part, wanted)));
} catch (error) {
  parentPort?.postMessage((error as Error).message);
}
