/** PostgreSQL's word for a unique index that says no. */
export function isTaken(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}
