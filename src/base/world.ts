import type { BankBook } from '../alerts/judging/bank-book.ts';
import type { MailServices } from '../alerts/mailboxes/providers.ts';
import type { Cells } from './cells.ts';
import type { Clock } from './clock.ts';
import type { Sql } from './database/connect.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Dns } from './network/dns.ts';
import type { SecretBox } from './secrets.ts';
import type { Config } from './settings/config.ts';

/** Everything outside the program. A function asks for the part that it uses: `Pick<World, 'sql' | 'clock'>`. */
export type World = {
  config: Config;
  /** Where customers reach this installation: PUBLIC_URL, or the sandbox's own address. */
  baseUrl: string;
  sql: Sql;
  clock: Clock;
  dns: Dns;
  log: Log;
  metrics: Metrics;
  secrets: SecretBox;
  banks: BankBook;
  /** Where the mail providers are, unless where everybody knows them to be: a test puts its own servers there. */
  mailServices?: MailServices;
  /** Where there are several databases: all of them, and which of them this world is. */
  cells?: Cells;
  cell?: number;
};
