import type { Template } from './write-query.ts';

/** The pool, or one transaction's connection. */
export type Run = (template: Template, signal: AbortSignal) => Promise<unknown>;

type RowOf<T> = T extends readonly (infer Row)[] ? Row : never;
type ValueOf<T> = RowOf<T>[keyof RowOf<T>];

/** A query is sent only when it is awaited, so one nested in another is never sent alone. `cancel` interrupts it. */
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

  /** The first row; null without one. */
  async first(): Promise<RowOf<T> | null> {
    const [row] = (await this.send()) as RowOf<T>[];
    return row ?? null;
  }

  /** Whether the statement found or changed a row. */
  async some(): Promise<boolean> {
    return (await this.first()) !== null;
  }

  /** The only column of the first row; null without a row. */
  async value(): Promise<ValueOf<T> | null> {
    return (await this.column())[0] ?? null;
  }

  /** The only column of all rows. */
  async column(): Promise<ValueOf<T>[]> {
    return ((await this.send()) as object[]).map(row => Object.values(row)[0]);
  }

  cancel(): void {
    this.cancelling?.abort();
  }

  private send(): Promise<T> {
    if (this.result === null) {
      // Created only now, because most queries are parts of others and are never sent.
      this.cancelling = new AbortController();
      this.result = this.run(this.template, this.cancelling.signal) as Promise<T>;
    }
    return this.result;
  }
}
