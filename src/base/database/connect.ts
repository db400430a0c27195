import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { second } from '../clock.ts';
import { DatabaseDown, endsConnection } from './database-down.ts';
import { type Backend, interruptBackend } from './interrupt-backend.ts';
import { openListener } from './open-listener.ts';
import { connectionName } from './program-name.ts';
import { Query, type Run } from './query.ts';
import {
  Inserted,
  Json,
  Listed,
  nameQuery,
  type SqlQuery,
  Template,
  Written,
  writeQuery,
} from './write-query.ts';

// biome-ignore lint/suspicious/noExplicitAny: a row is what its query says; callers name its type
type Row = Record<string, any>;

export type Queryable = {
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: unknown[]): Query<T>;
  /** One or more rows to insert, or the items of an `in` list. */
  (values: object): Inserted | Listed;
  json(value: unknown): Json;
  /** Only for our own SQL: several statements, of which the last answers, or one with numbered parameters. */
  unsafe(text: string, values?: readonly unknown[]): Promise<Row[]>;
  notify(channel: string, payload: string): Query<Row[]>;
};

export type Transaction = Queryable & { readonly isTransaction: true };

export type Sql = Queryable & {
  /** Rolls back when the function throws. Rejects after a lost connection and never continues on another. */
  begin<T>(work: (tx: Transaction) => Promise<T>, options?: BeginOptions): Promise<T>;
  reserve(options?: BeginOptions): Promise<Queryable & { release(): void }>;
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onListen?: () => void,
    onLost?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>;
  end(options?: { timeout?: number }): Promise<void>;
  readonly pooling: Pooling;
};

/** `patient`: no statement has a limit, neither ours nor the server's. */
type BeginOptions = { patient?: boolean };

export type ConnectOptions = {
  most: number;
  /** The limit for a statement, so that another's lock causes an error and not a hang. */
  statementTimeout?: number;
  pooling?: Pooling;
  idleFor?: number;
  /** The process's roles or command, shown in the server's list of connections. */
  part?: string;
};

/**
 * With `by session`, our connection keeps one server connection, with or without a pooler. With `by transaction`, a
 * pooler may give us another one each time. So nothing may remain on it: no setting, no listener, and no prepared
 * statement unless the pooler supports them.
 */
export type Pooling = 'by session' | 'by transaction' | 'by transaction, prepared';

type Settings = pg.ClientConfig & { pooling: Pooling };

const connectTimeout = 5 * second;
const defaultStatementTimeout = 30 * second;
/** A server that is silent this much longer than a statement may run is unreachable, even if its connection is open. */
const silence = 5 * second;
const keepAliveDelay = 10 * second;
/** If a host loses power inside a transaction, its row locks must not last for hours, until TCP gives up. */
const idleInTransaction = 30 * second;
const defaultEndTimeoutSeconds = 5;
/** Connections above `leastKept` close after this time, so that other processes can have them. */
const idleInPool = 60 * second;
const leastKept = 5;

export function connect(
  url: string,
  {
    most,
    statementTimeout = defaultStatementTimeout,
    pooling = 'by session',
    idleFor = idleInPool,
    part = 'command',
  }: ConnectOptions,
): Sql {
  const settings: Settings = {
    connectionString: url,
    application_name: connectionName(part),
    query_timeout: statementTimeout + silence,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    types: { getTypeParser },
    pooling,
  };
  const pool = new pg.Pool({
    ...settings,
    max: most,
    min: Math.min(most, leastKept),
    idleTimeoutMillis: idleFor,
    // Set for each query instead, because a migration has no limit.
    query_timeout: 0,
    ...(pooling === 'by session' && { onConnect: client => prepareSession(client, statementTimeout) }),
  });
  // The pool replaces a connection that dies while idle. If it dies in use, its query reports the error.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));

  const listener = openListener(settings);
  const onPool: Run = async (template, signal) => {
    const statement = writeQuery(template);
    const client = await borrow(pool);
    if (signal.aborted) {
      // Cancelled while waiting. The connection is still good and must be kept, above all under load.
      client.release();
      throw givenUp();
    }
    let lost: Error | undefined;
    try {
      return await send(client, statement, signal, settings);
    } catch (error) {
      lost = error instanceof DatabaseDown ? error : undefined;
      throw error;
    } finally {
      client.release(lost);
    }
  };

  return Object.assign(queryable(onPool), {
    begin: <T>(work: (tx: Transaction) => Promise<T>, { patient = false }: BeginOptions = {}) =>
      begin(pool, patient ? { ...settings, query_timeout: 0 } : settings, work),
    async reserve({ patient = false }: BeginOptions = {}) {
      const client = await borrow(pool);
      const held = patient ? { ...settings, query_timeout: 0 } : settings;
      const run: Run = (template, signal) => send(client, writeQuery(template), signal, held);
      // Do not return a patient connection to the pool: the next user would have no limit.
      if (patient && pooling === 'by session') await client.query('set statement_timeout = 0');
      return Object.assign(queryable(run), { release: () => client.release(patient) });
    },
    listen: (channel: string, onNotify: (payload: string) => void, onListen = () => {}, onLost = () => {}) =>
      pooling === 'by session'
        ? listener(channel, { onNotify, onListen, onLost })
        : // A NOTIFY would not arrive on a pooled connection. Listeners also poll.
          Promise.resolve({ unlisten: async () => {} }),
    async end({ timeout = defaultEndTimeoutSeconds } = {}) {
      await Promise.race([pool.end(), sleep(timeout * second, undefined, { ref: false })]);
    },
    pooling,
  });
}

/** Plan once for all values, except on Citus, which plans by values. */
const planOnce = `select set_config('plan_cache_mode', 'force_generic_plan', false)
  where not exists (select from pg_extension where extname = 'citus')`;

/** Set after connecting, because PgBouncer refuses settings in the startup message. */
async function prepareSession(client: pg.ClientBase, statementTimeout: number): Promise<void> {
  // Our statements are short, so compiling one would cost more than it saves.
  const text = `set timezone = 'UTC'; set jit = off; set statement_timeout = ${statementTimeout}; ${planOnce}`;
  try {
    await client.query({ text, query_timeout: connectTimeout } as pg.QueryConfig);
  } catch (error) {
    (client as unknown as Backend).connection.stream.destroy();
    throw error;
  }
}

export function queryable(run: Run): Queryable {
  const ask = (first: TemplateStringsArray | object, ...values: unknown[]) => {
    if ('raw' in first) return new Query(new Template(first as TemplateStringsArray, values), run);
    if (!Array.isArray(first)) return new Inserted([first as Record<string, unknown>]);
    return first.some(isRow) ? new Inserted(first) : new Listed(first);
  };
  return Object.assign(ask as Pick<Queryable, never> as Queryable, {
    json: (value: unknown) => new Json(value),
    unsafe: (text: string, values: readonly unknown[] = []) =>
      run(new Written(text, values), new AbortController().signal) as Promise<Row[]>,
    notify: (channel: string, payload: string) =>
      new Query<Row[]>(new Template(['select pg_notify(', ', ', ')'], [channel, payload]), run),
  });
}

function isRow(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype;
}

async function begin<T>(
  pool: pg.Pool,
  settings: Settings,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await borrow(pool);
  const never = new AbortController().signal;
  let over = false;
  const run: Run = async (template, signal) => {
    if (over) throw new Error('the transaction is over');
    return await send(client, writeQuery(template), signal, settings);
  };
  const execute = (text: string) => send(client, { text, values: [] }, never, settings);
  let lost: Error | undefined;
  try {
    const limit = settings.query_timeout === 0 ? '; set local statement_timeout = 0' : '';
    await execute(`begin; set local idle_in_transaction_session_timeout = ${idleInTransaction}${limit}`);
    const result = await work(Object.assign(queryable(run), { isTransaction: true as const }));
    over = true;
    const [done] = await execute('commit');
    // The caller ignored a failed statement's error. The server then rolls back and reports success.
    if (done?.['command'] !== 'COMMIT') throw new Error('the transaction was rolled back by the database');
    return result;
  } catch (error) {
    over = true;
    lost = error instanceof DatabaseDown ? error : undefined;
    if (!lost) {
      await execute('rollback').catch(failure => {
        lost = failure;
      });
    }
    throw error;
  } finally {
    client.release(lost);
  }
}

async function borrow(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw isFromServer(error) ? error : new DatabaseDown(error);
  }
}

async function send(
  client: pg.PoolClient,
  statement: SqlQuery,
  signal: AbortSignal,
  settings: Settings,
): Promise<Row[]> {
  if (signal.aborted) throw givenUp();
  let interrupted: Promise<void> | undefined;
  const interrupt = () => {
    interrupted = interruptBackend(client as unknown as Backend, settings, silence);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await ask(client, statement, settings);
  } catch (error) {
    throw isFromServer(error) && !endsConnection(error) ? error : new DatabaseDown(error);
  } finally {
    signal.removeEventListener('abort', interrupt);
    // The query may have ended by itself. Wait, or the cancellation could hit the connection's next query.
    await interrupted;
  }
}

async function ask(
  client: pg.PoolClient,
  { text, values }: SqlQuery,
  { query_timeout, pooling }: Settings,
): Promise<Row[]> {
  const name = pooling === 'by transaction' ? undefined : nameQuery(text);
  const named = values.length > 0 && { name, values };
  const query = { text, query_timeout, ...named };
  const results: unknown = await client.query<Row>(query as pg.QueryConfig);
  const result = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<Row>;
  return text === 'commit' ? [{ command: result.command }] : (result.rows ?? []);
}

function givenUp(): DatabaseDown {
  return new DatabaseDown(new Error('cancelled before it was sent'));
}

function isFromServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof TypeError;
}

const int8 = 20;
const dateOnly = 1082;

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  // Ids and paise are far below 2^53; a larger number is a bug and should throw.
  if (oid === int8) return safeInteger;
  // Keep a date as text, because it has no time zone.
  if (oid === dateOnly) return text => text;
  return pg.types.getTypeParser(oid, format as 'text');
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${text}`);
  return value;
}
