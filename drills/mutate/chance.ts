export type Chance = ReturnType<typeof chanceFrom>;

/** Draws of one run, repeatable from its seed. */
export function chanceFrom(random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const maybe = (share: number) => random() < share;

  /** One or two changes of a text: a character flipped, added, removed, doubled, moved; a piece that means something. */
  function scratch(
    text: string,
    pieces: readonly string[] = [';', '=', ' ', '\t', '\0', '\xa0', ':', 'A'],
  ): string {
    let out = text;
    for (let left = 1 + below(2); left > 0; left--) {
      const at = below(out.length + 1);
      const way = below(7);
      if (way === 0) out = out.slice(0, at) + String.fromCharCode(below(256)) + out.slice(at + 1);
      else if (way === 1) out = out.slice(0, at) + out.slice(at + 1 + below(3));
      else if (way === 2) out = out.slice(0, at) + out.slice(at, at + 1 + below(8)) + out.slice(at);
      else if (way === 3)
        out = out.slice(0, at) + (maybe(0.5) ? out.slice(at).toUpperCase() : out.slice(at).toLowerCase());
      else out = out.slice(0, at) + pick(pieces) + out.slice(at);
    }
    return out;
  }
  return { random, below, pick, maybe, scratch };
}
