export function withQuery(path: string, fields: Record<string, string | number | null | false>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== false);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${query}`;
}
