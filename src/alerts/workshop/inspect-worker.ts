import { parentPort, workerData } from 'node:worker_threads';
import { type KeyAnswer, keyId } from '../origin/key-source.ts';
import { type Inspection, inspectMail } from './inspect-mail.ts';

export type InspectTask = Omit<Inspection, 'keys'> & {
  readonly raw: Uint8Array;
  /** The keys for every signature of the mail, by `keyId` with the purpose `bank`; they were asked for before. */
  readonly keys: ReadonlyMap<string, KeyAnswer>;
};

const task = workerData as InspectTask;
const inspected = await inspectMail(Buffer.from(task.raw), {
  ...task,
  keys: async name => task.keys.get(keyId({ name, purpose: 'bank' })) ?? { kind: 'not_found' },
});
parentPort?.postMessage(inspected);
