/** Which column of a bank's file holds what, by the titles that the file itself gives them. */
export type Columns = {
  date: string;
  /** What came in; or every sum, where `direction` tells in from out. */
  amount: string;
  direction: string | null;
  reference: string | null;
  description: string | null;
};

export const columnNames = ['date', 'amount', 'direction', 'reference', 'description'] as const;

/** The row of titles and what they mean. `place` is its number in the file, from 0. */
export type Found = { place: number; titles: string[]; columns: Columns };

const rowsLookedAt = 100;

/** The first row in which the wanted titles stand; without any, the first that looks like titles of a statement. */
export function findColumns(rows: readonly string[][], wanted: Columns | null): Found | null {
  const start = rows.slice(0, rowsLookedAt);
  for (const [place, titles] of start.entries()) {
    const columns = wanted === null ? guess(titles) : holds(titles, wanted) ? wanted : null;
    if (columns !== null) return { place, titles, columns };
  }
  return null;
}

function holds(titles: readonly string[], wanted: Columns): boolean {
  return columnNames.every(name => wanted[name] === null || titles.includes(wanted[name]));
}

/** Titles as banks write them, likelier ones first. What is guessed is shown, and can be put right. */
const dates = [
  /^(?:transaction|txn|tran)\s*date/,
  /^date/,
  /^(?:post|posting|book|booking)\s*d/,
  /^value\s*d/,
];
const credits = [
  /^(?:credit|deposit|deposits)\b(?!.*\b(?:debit|dr)\b)/,
  /^cr\b(?!\s*dr)/,
  /\b(?:credit|deposit)\s*(?:amount|amt)/,
];
const sums = [/^amount/, /^(?:transaction|txn|tran)\s*(?:amount|amt)/];
const directions = [/^(?:cr\s*dr|dr\s*cr|debit\s*credit|credit\s*debit)/, /^(?:transaction|txn)?\s*type$/];
const references = [
  /\butr\b/,
  /\brrn\b/,
  /\bref/,
  /^(?:transaction|txn|tran)\s*(?:id|no)/,
  /\b(?:chq|cheque)/,
];
const descriptions = [/narration/, /description/, /particular/, /remark/, /details/];

function guess(titles: readonly string[]): Columns | null {
  const plain = titles.map(title =>
    title
      .toLowerCase()
      .replace(/[^a-z]+/g, ' ')
      .trim(),
  );
  const find = (patterns: readonly RegExp[]) => {
    for (const pattern of patterns) {
      const at = plain.findIndex(title => pattern.test(title));
      if (at >= 0) return titles[at]!;
    }
    return null;
  };
  const date = find(dates);
  const credit = find(credits);
  const direction = credit === null ? find(directions) : null;
  const amount = credit ?? (direction === null ? null : find(sums));
  if (date === null || amount === null) return null;
  return { date, amount, direction, reference: find(references), description: find(descriptions) };
}
