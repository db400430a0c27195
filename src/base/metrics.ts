import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/** One registry for the process; a folder makes its own metrics through it. Names start with `milaan_`. */
export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
