/** Chance that a seed repeats. Each part of the drill has dice of its own, so that one does not disturb the other. */
export type Dice = {
  /** From 0 up to 1. */
  chance(): number;
  isLucky(probability: number): boolean;
  /** A whole number, both ends included. */
  whole(least: number, most: number): number;
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
};

export function newDice(seed: number, name: string): Dice {
  let state = seed >>> 0;
  for (const char of name) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193) >>> 0;
  // Mulberry32: small, and good enough for choosing.
  const chance = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + chance() * (most - least);
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1));
  return {
    chance,
    between,
    whole,
    isLucky: probability => chance() < probability,
    pick: items => items[whole(0, items.length - 1)]!,
    shuffled(items) {
      const left = [...items];
      return items.map(() => left.splice(whole(0, left.length - 1), 1)[0]!);
    },
  };
}
