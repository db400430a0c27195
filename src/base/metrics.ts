import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/**
 * One registry for the process; a folder makes its own metrics through it. Names start with `milaan_`. Of several
 * databases each has one beside it, without what is of the process.
 */
export function openMetrics(cell?: number) {
  const registry = new Registry();
  if (cell === undefined) collectDefaultMetrics({ register: registry });
  else registry.setDefaultLabels({ cell: String(cell) });
  const registers = [registry];
  return {
    registry,
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    /** `look` is asked at every reading. */
    gauge: (name: string, help: string, labelNames: string[] = [], look?: () => Promise<number>) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        ...(look && {
          async collect() {
            this.set(await look());
          },
        }),
      }),
    histogram: (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  };
}

/** Metrics that several files use, made once for each registry: it refuses a second of the same name. */
export function madeOnce<T>(make: (metrics: Metrics) => T): (metrics: Metrics) => T {
  const made = new WeakMap<Metrics, T>();
  return metrics => {
    const own = made.get(metrics) ?? make(metrics);
    made.set(metrics, own);
    return own;
  };
}

/** As Prometheus reads them. Lines of one metric stand together, whichever registry they are from. */
export async function metricsText(all: readonly Metrics[]): Promise<string> {
  const texts = await Promise.all(all.map(({ registry }) => registry.metrics()));
  if (texts.length === 1) return texts[0]!;
  const blocks = new Map<string, string[]>();
  for (const block of texts.flatMap(text => text.split(/^(?=# HELP )/m))) {
    const [help = '', ...lines] = block.trimEnd().split('\n');
    const known = blocks.get(help);
    if (known) known.push(...lines.slice(1));
    else blocks.set(help, lines);
  }
  return [...blocks].flatMap(([help, lines]) => [help, ...lines, '']).join('\n');
}
