import type { Clock } from './clock.ts';
import type { Sql } from './database/connect.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Dns } from './network/dns.ts';
import type { SecretBox } from './secrets.ts';
import type { Config } from './settings/config.ts';

/**
 * Everything outside the program. A function asks for the part that it uses: `Pick<World, 'sql' | 'clock'>`. A
 * later module adds what it brings (`alerts/`: bank entries, mail servers).
 */
export interface World {
  config: Config;
  /** Where customers reach this installation: PUBLIC_URL, or the sandbox's own address. */
  baseUrl: string;
  sql: Sql;
  clock: Clock;
  dns: Dns;
  log: Log;
  metrics: Metrics;
  secrets: SecretBox;
  /** Where there are several databases: all of them, and which of them this world is. */
  cells?: Cells;
  cell?: number;
}

/**
 * Several PostgreSQL databases behind one address. Each business lives in one of them, its cell, which its id
 * determines by the ranges of CELLS_FILE. So no statement knows of cells: a caller with a business's id asks here for its world. An installation with one
 * database has none of this.
 */
export type Cells = {
  /** By their numbers. Cell 0 also has what is the installation's: operators, plans, bank entries, names that are unique. */
  readonly worlds: readonly World[];
  /**
   * The world of a business; that of cell 0 for the installation itself, which is business 0. Where this process does not
   * know the cell, or never reached it, a world whose database is away.
   */
  of(merchantId: number): World;
  /** An id for a new business, of this cell; of the one that takes new ones, unless another is named. */
  newId(cell?: number): number;
  /** Comes when a cell is met that could not be reached at the start; null for one that was met then. */
  awaited(cell: number): Promise<void> | null;
};
