import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** One registry for the process; a folder makes its own meters through it. Names start with `milaan_`. */
export type Metrics = {
  registry: Registry;
  counter(name: string, help: string, labels?: string[]): Counter<string>;
  /** `look` is asked at every reading. */
  gauge(name: string, help: string, labels?: string[], look?: () => Promise<number>): Gauge<string>;
  histogram(name: string, help: string, buckets: number[], labels?: string[]): Histogram<string>;
};

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    counter: (name, help, labelNames = []) => new Counter({ name, help, labelNames, registers }),
    gauge: (name, help, labelNames = [], look) =>
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
    histogram: (name, help, buckets, labelNames = []) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  };
}

/** Meters that several files use, made once for each registry: it refuses a second of the same name. */
export function madeOnce<T>(make: (metrics: Metrics) => T): (metrics: Metrics) => T {
  const made = new WeakMap<Metrics, T>();
  return metrics => {
    const meters = made.get(metrics) ?? make(metrics);
    made.set(metrics, meters);
    return meters;
  };
}
