export function isTaken(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}

/** The same error for a name that another cell has. */
export function taken(what: string): Error {
  return Object.assign(new Error(`${what} is taken`), { code: '23505' });
}
