import { styleText } from 'node:util';

type Aim = { atLeast: number } | { atMost: number };

export type Report = {
  name: string;
  aim: Aim;
  /** Our figure against the limit that this run measured. */
  ratio: number;
  /** One object per table row; its keys are the heading. */
  rows: Record<string, string | number>[];
};

/** Prints a benchmark's table, whether it met its aim, and as its last line `bench NAME ratio=…`. */
export function report({ name, aim, ratio, rows }: Report): void {
  console.log(`\n${table(rows)}\n`);
  const met = 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost;
  const wanted = 'atLeast' in aim ? `at least ${aim.atLeast}` : `at most ${aim.atMost}`;
  console.log(met ? styleText('green', `aim met: ${wanted}`) : styleText('red', `aim MISSED: ${wanted}`));
  console.log(`bench ${name} ratio=${ratio.toFixed(2)}`);
  process.exitCode = met ? 0 : 1;
}

function table(rows: Record<string, string | number>[]): string {
  const heads = Object.keys(rows[0] ?? {});
  const lines = [heads, ...rows.map(row => heads.map(head => String(row[head] ?? '')))];
  const widths = heads.map((_, column) => Math.max(...lines.map(line => line[column]!.length)));
  const drawn = lines.map(line => `| ${line.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`);
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`;
  return [drawn[0], rule, ...drawn.slice(1)].join('\n');
}
