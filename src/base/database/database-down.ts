/** The database was unreachable, or its answer was lost. The query may or may not have run. */
export class DatabaseDown extends Error {
  constructor(cause: unknown) {
    super((cause as Error)?.message || 'the database is unavailable', { cause });
  }
}

/** Temporary server states: shutting down, starting up, too many connections, cancelled, locked, just promoted. */
const passingStates = /^(?:08|53|57)|^(?:55P03|25006)$/;

/** Returns whether the database is temporarily down or overloaded, as opposed to a wrong query. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof DatabaseDown) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.length === 5 && passingStates.test(code);
}

/** The server closes the connection after these errors, so the pool must not reuse it. */
export function endsConnection(error: unknown): boolean {
  return /^(?:08|57P0|25P0[34])/.test((error as { code?: string }).code ?? '');
}
