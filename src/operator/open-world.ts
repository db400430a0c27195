import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bank } from '../alerts/banks/bank.ts';
import { loadBanks } from '../alerts/banks/load-banks.ts';
import { openBankBook } from '../alerts/book/open-bank-book.ts';
import { mostClockSkew, systemClock, thisMachine } from '../base/clock.ts';
import { hasCells } from '../base/database/applied-migrations.ts';
import { compareSchema } from '../base/database/compare-schema.ts';
import { connect, type Pooling, type Sql } from '../base/database/connect.ts';
import { isDatabaseDown } from '../base/database/database-down.ts';
import { detectPooling } from '../base/database/detect-pooling.ts';
import { hasEmbedded, runningEmbedded, startEmbedded } from '../base/database/embedded.ts';
import { migrate } from '../base/database/migrate.ts';
import { openLog } from '../base/log.ts';
import { openMetrics } from '../base/metrics.ts';
import { openDns } from '../base/network/dns.ts';
import { newSecretKey, parseKeyRing, secretBox } from '../base/secrets.ts';
import type { Config } from '../base/settings/config.ts';
import { StartError } from '../base/start-error.ts';
import { steadyClock } from '../base/steady-clock.ts';
import type { World } from '../base/world.ts';
import { writeOwnFile } from '../base/write-own-file.ts';
import { refuseWorker } from './cells/refuse-worker.ts';
import { applyPlansFile } from './commands/describe-plans.ts';
import { openCellWorlds } from './open-cell-worlds.ts';
import { describeDatabase } from './running/describe-installation.ts';

type Options = {
  baseUrl: string;
  say: (line: string) => void;
  /**
   * The program migrates the schema and creates a missing sandbox. A command joins a running sandbox, and creates and
   * migrates nothing. An upgrade accepts any schema.
   */
  as?: 'program' | 'command' | 'upgrade';
  /** Code that is being loaded: on a busy machine that delays our reading beyond the database's timeout. */
  loading?: Promise<unknown>;
};

export async function openWorld(
  config: Config,
  { baseUrl, say, as = 'program', loading }: Options,
): Promise<{ world: World; close(): Promise<void> }> {
  const isSandbox = config.mode === 'sandbox';
  const running = isSandbox && as !== 'program' ? sandboxFor(config) : null;
  const embedded = isSandbox && !running ? await startEmbedded(config.dataDir, say) : null;
  const url = config.databaseUrl ?? running ?? embedded?.url;
  if (!url) throw new StartError('there is no database to connect to');
  await loading;
  const keyRing = isSandbox ? [sandboxKey(config.dataDir, 'secret-key')] : config.keyRing;
  // Only a sandbox has this bank. The program that runs it adds the bank itself, but a command must know it too.
  const ownBank =
    isSandbox && as === 'command'
      ? [(await import('../sandbox/open-bank.ts')).openBank(config.dataDir).entry]
      : [];
  const outside: Omit<World, 'sql' | 'metrics'> = {
    config: isSandbox
      ? { ...config, pushKey: config.pushKey ?? sandboxKey(config.dataDir, 'push-key') }
      : config,
    baseUrl,
    // No outside clock corrects the sandbox's time, and a laptop's virtual machine sleeps without noticing.
    clock: steadyClock(thisMachine, isSandbox ? { believed: 0 } : {}),
    dns: openDns(config.dnsServers),
    log: openLog(config.logLevel),
    secrets: secretBox(keyRing),
    banks: openBankBook(() => [...banksOf(config), ...ownBank]),
  };
  const open = (of: string, report: typeof say, compare?: (sql: Sql) => Promise<void>) =>
    openDatabase(config, of, { say: report, as, compare });
  const openAlone = async () => {
    const sql = await open(url, say, as === 'command' ? undefined : refuseOneOfSeveral);
    return { world: { ...outside, sql, metrics: openMetrics() }, close: () => sql.end({ timeout: 2 }) };
  };
  let opened: { world: World; close(): Promise<void> } | null = null;
  const close = async () => {
    await opened?.close();
    await embedded?.stop();
  };
  try {
    opened = config.cells
      ? await openCellWorlds(config.cells, outside, { open, say, as })
      : await openAlone();
    const { world } = opened;
    const { plansFile } = config;
    if (as === 'program' && plansFile !== null) {
      const meet = () => applyPlansFile(world, plansFile, say);
      const late = world.cells?.awaited(0)?.then(meet);
      if (late) late.catch(error => world.log.warn({ err: error }, 'PLANS_FILE was not compared'));
      else await meet();
    }
    return { world, close };
  } catch (error) {
    await close();
    throw startProblem(error, url);
  }
}

/** A process that knows only one cell would refuse the others' mails and skip the rules between cells (R2). */
async function refuseOneOfSeveral(sql: Sql): Promise<void> {
  if (await hasCells(sql))
    throw new StartError(
      'this database is one of several: set CELLS_FILE, as on the other machines, instead of DATABASE_URL',
    );
}

async function openDatabase(
  config: Config,
  url: string,
  {
    say,
    as,
    compare,
  }: Required<Pick<Options, 'say' | 'as'>> & { compare: ((sql: Sql) => Promise<void>) | undefined },
): Promise<Sql> {
  const pooling = config.mode === 'live' ? await reach(url, say) : 'by session';
  const sql = connect(url, {
    most: config.databasePool,
    pooling,
    part: as === 'program' ? config.roles.join(' ') : as,
  });
  try {
    await check(sql, url);
    await compare?.(sql);
    if (as === 'program') {
      const { applied } = await migrate(sql, say);
      if (applied.length > 0) say(`database ready, ${applied.length} migrations applied`);
    }
    if (as === 'command') await refuseOtherSchema(sql, url);
  } catch (error) {
    await sql.end({ timeout: 2 });
    throw startProblem(error, url);
  }
  return sql;
}

/** Returns the address of the running sandbox's database, or null if the command may start the existing one. */
function sandboxFor({ dataDir, sandboxMeant, settingsFrom }: Config): string | null {
  const running = runningEmbedded(dataDir);
  if (running !== null) return running;
  const isThere = hasEmbedded(dataDir);
  if (!sandboxMeant) {
    throw new StartError(
      `there are no live settings, and no sandbox is running in ${dataDir}; settings: ${settingsFrom}${isThere ? '; --sandbox works on the one that was stopped there' : ''}`,
    );
  }
  if (!isThere) throw new StartError(`there is no sandbox in ${dataDir}: npm start makes one`);
  return null;
}

/** If a command migrated, it would upgrade an installation without its operator's consent. */
async function refuseOtherSchema(sql: Sql, url: string): Promise<void> {
  const { waiting, refusal } = await compareSchema(sql);
  if (refusal !== null) throw new StartError(refusal);
  if (waiting.length > 0) {
    throw new StartError(
      `the ${describeDatabase(url)} is not at this version's schema (${waiting.length} migrations wait): the command upgrade, or a start, brings it there`,
    );
  }
}

export function banksOf({ banksFile }: Config): Bank[] {
  try {
    return loadBanks(banksFile);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

function startProblem(error: unknown, url: string): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined && notOurs.includes(code))
    return new StartError(
      `the database at ${new URL(url).host} cannot be used: ${message}; DATABASE_URL must name the primary and a user who owns the database`,
    );
  // The database is probably restarting. The supervisor starts us again.
  return isDatabaseDown(error) ? unreachable(url, error) : error;
}

/** PostgreSQL's insufficient_privilege and read_only_sql_transaction (a standby). */
const notOurs = ['42501', '25006'];

/** A live database may have a pooler in front. We do without what the pooler does not support. */
export async function reach(url: string, say: (line: string) => void): Promise<Pooling> {
  // On a busy machine, loading can delay us so much that we read a timely answer too late.
  const pooling = await detectPooling(url)
    .catch(() => detectPooling(url))
    .catch(error => {
      throw unreachable(url, error);
    });
  if (pooling !== 'by session') {
    say('a pooler in transaction mode is in front of the database: webhooks leave up to a second later');
  }
  if (pooling === 'by transaction') {
    say(
      'it takes no prepared statements along, which costs half the speed: see PgBouncer in docs/configure.md',
    );
  }
  return pooling;
}

function unreachable(url: string, error: unknown): StartError {
  const reason = (error as Error).message || (error as { code?: string }).code;
  return new StartError(`the database at ${new URL(url).host} cannot be reached: ${reason}`);
}

async function check(sql: Sql, url: string): Promise<void> {
  const { host } = new URL(url);
  const [row] = await sql<{ version: number; now: Date }[]>`
    select current_setting('server_version_num')::int as version, clock_timestamp() as now`.catch(error => {
    throw unreachable(url, error);
  });
  if (!row || row.version < 150_000)
    throw new StartError(`the database at ${host} is older than PostgreSQL 15`);
  await refuseWorker(sql, url);
  const skew = systemClock.now().getTime() - row.now.getTime();
  if (Math.abs(skew) > mostClockSkew) {
    const side = skew > 0 ? 'ahead of' : 'behind';
    throw new StartError(
      `this machine's clock is ${Math.round(Math.abs(skew) / 1000)} s ${side} the database's: set the clocks`,
    );
  }
}

/** The sandbox makes its own keys and stores them next to its data, so nothing has to be configured. */
function sandboxKey(dataDir: string, name: string): Buffer {
  const path = join(dataDir, name);
  if (!existsSync(path)) writeOwnFile(path, newSecretKey());
  const ring = parseKeyRing(readFileSync(path, 'utf8').trim());
  if ('problem' in ring) throw new StartError(`${path} ${ring.problem}`);
  return ring.keys[0]!;
}
