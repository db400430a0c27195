/**
 * Room for one more in a memory whose oldest stand first: where it is full the oldest goes, and for each that comes up
 * to two go that have lapsed, so that it holds what is in use and not the most that it may.
 */
export function makeRoom<K, V>(kept: Map<K, V>, most: number, hasLapsed: (value: V) => boolean): void {
  let gone = 0;
  for (const [key, value] of kept) {
    if (gone === 2 || (kept.size < most && !hasLapsed(value))) return;
    kept.delete(key);
    gone++;
  }
}
