import postgres from 'postgres';
import { second } from '../clock.ts';

export type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;
/** A query runs on the pool or inside a transaction alike. */
export type Queryable = Sql | Transaction;

export type ConnectOptions = {
  most: number;
  /** No statement of ours may run longer: a lock held elsewhere becomes an answer, not a hang. */
  statementTimeout?: number;
};

const connectTimeout = 5 * second;
const defaultStatementTimeout = 30 * second;

export function connect(
  url: string,
  { most, statementTimeout = defaultStatementTimeout }: ConnectOptions,
): Sql {
  return postgres(url, {
    max: most,
    connect_timeout: connectTimeout / second,
    // A pool that closes idle connections pays for a new one in the middle of a payment.
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'milaan', statement_timeout: statementTimeout, TimeZone: 'UTC' },
    types: {
      // Ids and paise stay far below 2^53; a number that does not is a bug worth a crash.
      bigint: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: (text: string) => {
          const value = Number(text);
          if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${text}`);
          return value;
        },
      },
    },
  });
}

/** Whether an error means that the database is away or overloaded for now, as opposed to a wrong query. */
export function isDatabaseAway(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return false;
  return awayCodes.has(code) || code.startsWith('08') || code.startsWith('57P') || code.startsWith('53');
}

const awayCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  // query cancelled (our own deadline or statement_timeout), lock not available, standby just promoted
  '57014',
  '55P03',
  '25006',
]);
