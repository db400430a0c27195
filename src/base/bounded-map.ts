/** A map with at most `most` entries; the oldest goes first. Each write also drops up to two lapsed ones. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;
  readonly #hasLapsed: (value: V) => boolean;

  constructor(most: number, hasLapsed: (value: V) => boolean = () => false) {
    super();
    this.#most = most;
    this.#hasLapsed = hasLapsed;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    let dropped = 0;
    for (const [oldest, held] of this) {
      if (dropped === 2 || (this.size < this.#most && !this.#hasLapsed(held))) break;
      this.delete(oldest);
      dropped++;
    }
    return super.set(key, value);
  }
}
