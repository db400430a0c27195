/** The database could not be asked, or its answer was lost: what was asked may or may not have happened. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super((cause as Error)?.message || 'the database is away', { cause });
  }
}

/** Server states that pass: shutting down, starting up, too many connections, cancelled, locked, just promoted. */
const passingStates = /^(?:08|53|57)|^(?:55P03|25006)$/;

/** Whether an error means that the database is away or overloaded for now, as opposed to a wrong query. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.length === 5 && passingStates.test(code);
}

/** The server hangs up after these: shut down, crashed, idle for too long. The pool must not lend the connection again. */
export function endsConnection(error: unknown): boolean {
  return /^(?:08|57P0|25P0[34])/.test((error as { code?: string }).code ?? '');
}
