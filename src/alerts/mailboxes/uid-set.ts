/** A set of UIDs kept as ranges: a mailbox of two hundred thousand mails in a row costs two numbers. */
export class UidSet {
  #ranges: Array<[first: number, last: number]> = [];

  has(uid: number): boolean {
    const range = this.#ranges[this.#place(uid)];
    return range !== undefined && range[0] <= uid;
  }

  add(uid: number): void {
    const place = this.#place(uid);
    const here = this.#ranges[place];
    if (here !== undefined && here[0] <= uid) return;
    const before = this.#ranges[place - 1];
    const touchesBefore = before !== undefined && before[1] === uid - 1;
    const touchesHere = here !== undefined && here[0] === uid + 1;
    if (touchesBefore && touchesHere) {
      before[1] = here[1];
      this.#ranges.splice(place, 1);
    } else if (touchesBefore) before[1] = uid;
    else if (touchesHere) here[0] = uid;
    else this.#ranges.splice(place, 0, [uid, uid]);
  }

  /** Forgets everything below `uid`: what is older than the comparison's span is never asked for again. */
  forgetBelow(uid: number): void {
    this.#ranges = this.#ranges.filter(range => range[1] >= uid);
  }

  get ranges(): number {
    return this.#ranges.length;
  }

  /** Index of the first range that ends at or after `uid`. */
  #place(uid: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]![1] < uid) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
