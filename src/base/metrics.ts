import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/** The process's registry. With several databases each has one more, without the metrics of the process. */
export function openMetrics(cell?: number) {
  const registry = new Registry();
  // Each measurement of the event loop wakes the process: a hundred times a second by default.
  if (cell === undefined) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  else registry.setDefaultLabels({ cell: String(cell) });
  const registers = [registry];
  return {
    registry,
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    /** `read` runs at every scrape. */
    gauge: (name: string, help: string, labelNames: string[] = [], read?: () => Promise<number>) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        ...(read && {
          async collect() {
            this.set(await read());
          },
        }),
      }),
    histogram: (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  };
}

/** Creates metrics that several files use once per registry, which refuses duplicate names. */
export function madeOnce<T>(make: (metrics: Metrics) => T): (metrics: Metrics) => T {
  const made = new WeakMap<Metrics, T>();
  return metrics => {
    const own = made.get(metrics) ?? make(metrics);
    made.set(metrics, own);
    return own;
  };
}

/** The Prometheus text format, in which all lines of a metric must follow each other, whatever their registry. */
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
