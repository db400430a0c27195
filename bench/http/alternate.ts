export type Rounds<O, L> = { ours: O[]; limit: L[] };

type Side<T> = (round: number) => Promise<T>;

/**
 * Runs our side and its limit in turns, after some uncounted rounds, so that other load hits both alike. Rounds are
 * numbered from 1. In the uncounted ones Node compiles hot code, and the database fills its cache.
 */
export async function alternate<O, L>(
  { uncounted = 2, counted }: { uncounted?: number; counted: number },
  ours: Side<O>,
  limit: Side<L>,
): Promise<Rounds<O, L>> {
  const measured: Rounds<O, L> = { ours: [], limit: [] };
  for (let round = 1; round <= uncounted + counted; round++) {
    const pair = [await ours(round), await limit(round)] as const;
    if (round <= uncounted) continue;
    measured.ours.push(pair[0]);
    measured.limit.push(pair[1]);
  }
  return measured;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
