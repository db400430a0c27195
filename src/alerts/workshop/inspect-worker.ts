import { parentPort, workerData } from 'node:worker_threads';
import { type KeyAnswer, keyId } from '../origin/key-source.ts';
import { type Inspection, inspectMail } from './inspect-mail.ts';

export type InspectTask = Omit<Inspection, 'keys'> & {
  readonly raw: Uint8Array;
  /** By `keyId` of the purpose `bank`: asked for before, for every signature of the mail. */
  readonly keys: ReadonlyMap<string, KeyAnswer>;
};

const task = workerData as InspectTask;
const inspected = await inspectMail(Buffer.from(task.raw), {
  ...task,
  keys: async name => task.keys.get(keyId({ name, purpose: 'bank' })) ?? { kind: 'not_found' },
});
parentPort?.postMessage(inspected);
