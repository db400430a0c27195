import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { type Judgement, judgeMail as judge } from '../../../src/alerts/judging/judge-mail.ts';
import {
  chooseRecord,
  type KeyAnswer,
  type KeyPurpose,
  type KeySource,
} from '../../../src/alerts/origin/key-source.ts';

export type { Bank, Judgement, KeyAnswer, KeyPurpose, KeySource };

export type Circumstances = {
  /** `builtInBanks()`, or those and a file of yours. */
  banks: readonly Bank[];
  /** Yours: one of them must stand in the signed To or Cc. */
  addresses: readonly string[];
  /** When the mail was first seen. A bank's clock counts up to here, never beyond. */
  arrivedAt: Date;
  /** Where a DKIM key is asked for. `keysFrom` makes one of any resolver of TXT records. */
  keys: KeySource;
  /** The present, where it is not the moment of the call. */
  now?: Date;
};

/** One raw mail, as it came over the wire with CRLF line ends, to one verdict. Nothing but its arguments decides. */
export async function judgeMail(
  raw: Uint8Array,
  { banks, addresses, arrivedAt, keys, now = new Date() }: Circumstances,
): Promise<Judgement> {
  return await judge(Buffer.from(raw), { banks, addresses, arrivedAt, keys, now });
}

/** The banks that come with this package, and what a file of yours adds to them (`adding a bank` has its form). */
export function builtInBanks(file: string | null = null): Bank[] {
  return loadBanks(file);
}

const gone = ['ENOTFOUND', 'ENODATA'];

/** Keys from `resolveTxt` of `node:dns/promises`, or from whatever answers like it. Nothing is remembered. */
export function keysFrom(resolveTxt: (name: string) => Promise<string[][]>): KeySource {
  return async name => {
    try {
      return chooseRecord((await resolveTxt(name)).map(parts => parts.join('')));
    } catch (error) {
      return { kind: gone.includes((error as { code?: string }).code ?? '') ? 'not_found' : 'temporary' };
    }
  };
}
