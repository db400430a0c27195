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
  /** `builtInBanks()`, or these and a file of yours. */
  banks: readonly Bank[];
  /** Your addresses: the signed To or Cc must contain one of them. */
  addresses: readonly string[];
  /** When you first saw the mail. The bank's time counts up to this moment, never beyond. */
  arrivedAt: Date;
  /** Fetches DKIM keys. `keysFrom` makes one from any resolver of TXT records. */
  keys: KeySource;
  /** The present time; the moment of the call when left out. */
  now?: Date;
};

/** Judges one raw mail, with the exact bytes and CRLF line ends. The verdict depends only on the arguments. */
export async function judgeMail(
  raw: Uint8Array,
  { banks, addresses, arrivedAt, keys, now = new Date() }: Circumstances,
): Promise<Judgement> {
  return await judge(Buffer.from(raw), { banks, addresses, arrivedAt, keys, now });
}

/** This package's banks, with those from your file (`adding a bank` describes its form). */
export function builtInBanks(file: string | null = null): Bank[] {
  return loadBanks(file);
}

const gone = ['ENOTFOUND', 'ENODATA'];

/** Fetches keys with `resolveTxt` from `node:dns/promises`, or any function like it. It has no cache. */
export function keysFrom(resolveTxt: (name: string) => Promise<string[][]>): KeySource {
  return async name => {
    try {
      return chooseRecord((await resolveTxt(name)).map(parts => parts.join('')));
    } catch (error) {
      return { kind: gone.includes((error as { code?: string }).code ?? '') ? 'not_found' : 'temporary' };
    }
  };
}
