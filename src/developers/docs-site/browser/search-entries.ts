export type Entry = { page: string; heading: string; url: string; text: string };
export type Found = { entry: Entry; excerpt: string };

const mostResults = 8;
const excerptLength = 140;

/** Finds the passages that contain every word. A passage with a word in its heading comes first. */
export function searchEntries(entries: readonly Entry[], wanted: string): Found[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  if (words.length === 0) return [];
  return entries
    .map(entry => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostResults)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, words) }));
}

function scoreOf({ page, heading, text }: Entry, words: readonly string[]): number {
  const places: [string, number][] = [
    [heading.toLowerCase(), 10],
    [page.toLowerCase(), 5],
    [text.toLowerCase(), 1],
  ];
  let total = 0;
  for (const word of words) {
    const score = places.reduce((sum, [place, weight]) => sum + weight * matches(place, word), 0);
    if (score === 0) return 0;
    total += score;
  }
  return total;
}

/** A whole word counts more than part of a word. */
function matches(place: string, word: string): number {
  if (!place.includes(word)) return 0;
  return place.split(/[^\p{L}\p{N}_]+/u).includes(word) ? 2 : 1;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map(word => lower.indexOf(word)).filter(at => at >= 0));
  if (!Number.isFinite(first) || text.length <= excerptLength) return text.slice(0, excerptLength);
  const from = Math.max(0, first - excerptLength / 3);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + excerptLength)}…`;
}
