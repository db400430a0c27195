import type { Template } from './write-query.ts';

/** What runs a query: the pool, or the one connection of a transaction. */
export type Run = (template: Template, signal: AbortSignal) => Promise<unknown>;

/**
 * A query that has been written but is sent only once it is awaited; one that stands inside another is never sent by
 * itself. `cancel` takes back what still waits for a connection and interrupts what runs.
 */
export class Query<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Query';
  readonly template: Template;
  private readonly run: Run;
  private cancelling: AbortController | null = null;
  private result: Promise<T> | null = null;

  constructor(template: Template, run: Run) {
    this.template = template;
    this.run = run;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is the point
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.send().then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.send().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.send().finally(onFinally);
  }

  cancel(): void {
    this.cancelling?.abort();
  }

  private send(): Promise<T> {
    if (this.result === null) {
      // Only now: most queries are parts of others, and are never sent.
      this.cancelling = new AbortController();
      this.result = this.run(this.template, this.cancelling.signal) as Promise<T>;
    }
    return this.result;
  }
}
