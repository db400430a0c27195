import type { World } from './world.ts';

/**
 * Several PostgreSQL databases behind one address. Each business lives in one of them, its cell, which its id names; so
 * no statement knows of cells, and whoever has a business's id asks here which world is its. An installation with one
 * database has none of this.
 */
export type Cells = {
  /** By their numbers. Cell 0 is also where the installation's own things are: operators, claimed names, claimed mails. */
  readonly worlds: readonly World[];
  /** The world of a business; that of cell 0 for the installation itself, which is business 0. */
  of(merchantId: number): World;
  /** An id for a new business, of the cell that takes new ones. */
  newId(): number;
};
