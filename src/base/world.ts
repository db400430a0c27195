import type { Clock } from './clock.ts';
import type { Sql } from './database/connect.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Dns } from './network/dns.ts';
import type { SecretBox } from './secrets.ts';
import type { Config } from './settings/config.ts';
import type { Range } from './settings/config-cells.ts';

/** Everything outside the program. Functions ask for a part: `Pick<World, 'sql'>`; later modules add their own. */
export interface World {
  config: Config;
  /** The installation's public address: PUBLIC_URL, or the sandbox's own. */
  baseUrl: string;
  sql: Sql;
  clock: Clock;
  dns: Dns;
  log: Log;
  metrics: Metrics;
  secrets: SecretBox;
  /** With several databases: all of them, and this world's number. */
  cells?: Cells;
  cell?: number;
}

/**
 * Several PostgreSQL databases behind one address. Each business is in one of them, its cell. CELLS_FILE maps its id to
 * the cell. So statements need not know of cells: a caller with a business's id asks here for its world. Absent with
 * one database.
 */
export type Cells = {
  /** Indexed by number. Cell 0 also has the installation's data: operators, plans, bank entries, unique names. */
  readonly worlds: readonly World[];
  /** The business's world; cell 0's for business 0. A cell that was never reached fails as unavailable. */
  of(merchantId: number): World;
  /** Ids that a cell knows as those of a cell which this process does not know, because its CELLS_FILE is older. */
  unlisted: readonly (Range & { knownBy: World })[];
  /** An id for a new business, in the cell for new businesses unless another is named. */
  newId(cell?: number): number;
  /** Resolves when a cell that was down at the start is reached; null for all others. */
  awaited(cell: number): Promise<void> | null;
};
