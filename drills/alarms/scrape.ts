/** One series of a scrape: its name with labels, and its value. */
export type Scrape = ReadonlyMap<string, number>;

/** Prometheus's data about one process: its own text, with the labels that a scrape adds, and `up`. */
export async function scrape(url: string, token: string, instance = 'one'): Promise<Scrape> {
  const added = `instance="${instance}",job="milaan"`;
  const series = new Map<string, number>();
  const answer = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null);
  series.set(`up{${added}}`, answer?.ok ? 1 : 0);
  for (const line of answer?.ok ? (await answer.text()).split('\n') : []) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === '' || value === 'NaN') continue;
    series.set(
      `${name}{${[labels, added].filter(Boolean).join(',')}}`,
      Number(value.replace('Inf', 'Infinity')),
    );
  }
  return series;
}
