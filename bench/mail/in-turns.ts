/**
 * Runs each contestant once per round and returns all figures. They run one after the other, because a disturbance of
 * the machine in a round then hits both.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  contestants: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const figures = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    // The order changes each round, because the second one may find a warmer machine.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      figures[name].push(await contestants[name]());
    }
  }
  return figures;
}

export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The smallest figure that this part of all figures does not exceed. */
export function quantile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
