/** The meaning of each column in a bank's file, by the file's own titles. */
export type Columns = {
  date: string;
  /** Received money, or every sum if `direction` says in or out. */
  amount: string;
  direction: string | null;
  reference: string | null;
  description: string | null;
};

export const columnNames = ['date', 'amount', 'direction', 'reference', 'description'] as const;

/** The row of titles and what they mean. `place` is its number in the file, from 0. */
export type Found = { place: number; titles: string[]; columns: Columns };

const rowsLookedAt = 100;

/** The first row with the wanted titles or, without any, the first that looks like a statement's titles. */
export function findColumns(rows: readonly string[][], wanted: Columns | null): Found | null {
  const start = rows.slice(0, rowsLookedAt);
  for (const [place, titles] of start.entries()) {
    const columns = wanted === null ? guess(titles) : hasAll(titles, wanted) ? wanted : null;
    if (columns !== null) return { place, titles, columns };
  }
  return null;
}

function hasAll(titles: readonly string[], wanted: Columns): boolean {
  return columnNames.every(name => wanted[name] === null || titles.includes(wanted[name]));
}

/** Titles as banks write them, likelier ones first. A guess is shown, and can be corrected. */
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
