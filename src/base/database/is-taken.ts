/** PostgreSQL's code for a violated unique index. */
export function isTaken(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}
