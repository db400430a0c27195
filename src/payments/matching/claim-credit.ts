import { createHmac, randomBytes } from 'node:crypto';
import type { Cells } from '../../base/cells.ts';
import { second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { countedForm } from './counted-reference.ts';
import {
  type Claimable,
  claimNames,
  freeClaims,
  type Holder,
  insertClaimKey,
  lockHolder,
  type Names,
  selectClaimKey,
  selectOnlyDigits,
} from './queries/claimed-credits.ts';

export type SettlingWorld = Pick<World, 'sql' | 'clock' | 'cells' | 'cell'>;

/** A transaction in which money may be settled: only `beginSettling` makes one. */
export type Settling = Transaction & { readonly settling: Settlement | null };

type Settlement = Required<Pick<World, 'cells' | 'cell'>> &
  Pick<World, 'clock'> & {
    key: Buffer;
    /** Alerts whose signature or reference was found to have settled something in another cell. */
    elsewhere: Set<string>;
  };

declare const claimed: unique symbol;
/** That the credit is nobody else's in the whole installation (R2). Only this file gives it, and nothing pays without. */
export type Settled = { readonly [claimed]: true };

/** How long the alert of another cell may be in somebody's hands. */
const patience = 3 * second;
const mostRounds = 4;

/**
 * R2 where there are several databases. Whatever settles a credit claims its signatures and its reference in cell 0, while
 * it holds the alert's row locked and before it commits. So whoever gets that lock knows what a claim is worth: the
 * alert has settled something, or its claim is the rest of somebody who died or changed their mind, and is freed under
 * the lock. Time never frees one. A claim that meets another is rolled back with all that was done, the other cell is
 * asked, and everything is done once more: nobody holds a lock or a connection while they ask. With one database there
 * is none of this.
 */
export async function beginSettling<T>(world: SettlingWorld, work: (tx: Settling) => Promise<T>): Promise<T> {
  const { sql, clock, cells, cell } = world;
  if (!cells || cell === undefined) return await sql.begin(tx => work(Object.assign(tx, { settling: null })));
  const settling = { cells, cell, clock, key: await learnClaimKey(cells), elsewhere: new Set<string>() };
  for (let round = 1; ; round++) {
    try {
      return await sql.begin(tx => work(Object.assign(tx, { settling })));
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error;
      if (round === mostRounds) throw new NotNow('a claim in another cell changes all the time');
      if (await isSettled(cells, error.holder)) settling.elsewhere.add(error.alertId);
    }
  }
}

/** Null: it has settled something in another cell. The caller holds the alert's row locked. */
export async function claimCredit(tx: Settling, credit: Claimable): Promise<Settled | null> {
  return await ask(tx, credit, true);
}

/** The same for what settles nothing: it takes nothing from anybody. */
export async function isElsewhere(tx: Settling, credit: Claimable): Promise<boolean> {
  return (await ask(tx, credit, false)) === null;
}

/** It was asked about before in this piece of work. */
export function isKnownElsewhere({ settling }: Settling, { alertId }: Pick<Claimable, 'alertId'>): boolean {
  return settling?.elsewhere.has(alertId) ?? false;
}

async function ask(tx: Settling, credit: Claimable, settles: boolean): Promise<Settled | null> {
  const { settling } = tx;
  const yes = {} as Settled;
  if (settling === null) return yes;
  if (isKnownElsewhere(tx, credit)) return null;
  const { cells, cell, key, clock } = settling;
  const isUnclear = credit.accountDigits === null && credit.reference !== null;
  const known = isUnclear ? { ...credit, accountDigits: await selectOnlyDigits(tx, credit) } : credit;
  // In cell 0 itself claim and payment are one; and nobody there waits for a second connection.
  const first = cell === 0 ? tx : cells.worlds[0]!.sql;
  const holder = await claimNames(first, known, namesOf(key, credit), settles, clock.now());
  if (holder !== null) throw new HeldElsewhere(credit.alertId, holder);
  return yes;
}

/** Rolls back what was done, so that the other cell can be asked. */
class HeldElsewhere extends Error {
  readonly alertId: string;
  readonly holder: Holder;
  constructor(alertId: string, holder: Holder) {
    super(`alert ${alertId} is claimed by alert ${holder.alertId} of merchant ${holder.merchantId}`);
    this.alertId = alertId;
    this.holder = holder;
  }
}

/** It cannot be known yet: nothing is written, and it is asked again. As of a business that is being moved: 503. */
class NotNow extends Error {
  readonly code = 'ML503';
}

/** Whether this claim settled something. If not it is free now. */
async function isSettled({ worlds, of }: Cells, holder: Holder): Promise<boolean> {
  if (holder.merchantId === 0) return true;
  const theirs = of(holder.merchantId);
  return await theirs.sql.begin(async tx => {
    await tx`select set_config('lock_timeout', ${String(patience)}, true)`;
    const found = await lockHolder(tx, holder);
    // Deleted businesses are disowned of their claims: this one lives in a cell of which this process has not heard.
    if (found === null) throw new NotNow(`merchant ${holder.merchantId} is not where it is said to be`);
    if (found !== 'waits') return true;
    await freeClaims(theirs.cell === 0 ? tx : worlds[0]!.sql, holder);
    return false;
  });
}

/** Nothing of a mail can be read from these, nor guessed without the key. */
export function namesOf(
  key: Buffer,
  { signatureIds, bank, reference }: Pick<Claimable, 'signatureIds' | 'bank' | 'reference'>,
): Names {
  const name = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    signatures: signatureIds.map(id => name(`signature ${id}`)),
    reference: reference === null ? null : name(`reference ${bank} ${countedForm(reference)}`),
  };
}

export const claimKeyBinding = () => 'installation:claim_key';

const known = new WeakMap<Cells, Buffer>();

/** The installation's key, made by whoever needs it first. */
export async function learnClaimKey(cells: Cells): Promise<Buffer> {
  const found = known.get(cells);
  if (found) return found;
  const { sql, secrets } = cells.worlds[0]!;
  const fresh = () => secrets.seal(randomBytes(32).toString('base64'), claimKeyBinding());
  let sealed = await selectClaimKey(sql);
  if (sealed === null) {
    await insertClaimKey(sql, fresh());
    sealed = await selectClaimKey(sql);
  }
  if (sealed === null || !secrets.isOpenable(sealed))
    throw new Error(
      sealed === null
        ? 'the key of what is claimed over cells is not in cell 0: restore claim_keys, or nothing can be paid'
        : 'the key of what is claimed over cells was sealed with a key that is not in SECRET_KEY: nothing can be paid without it',
    );
  const key = Buffer.from(secrets.open(sealed, claimKeyBinding()), 'base64');
  known.set(cells, key);
  return key;
}
