import { spawnSync } from 'node:child_process';
import { measureSizes } from '../../scripts/measure-sizes.ts';
import { report } from '../report.ts';

/**
 * What the hosted page and the widget weigh, and how the page fares on Lighthouse's slow phone, against their budgets.
 * The ratio is the worst of used to allowed; for a score, of the points allowed to those reached.
 */
const rows: Record<string, string | number>[] = [];
const ratios: number[] = [];
const add = (what: string, measured: number, budget: number, ratio: number) => {
  ratios.push(ratio);
  rows.push({ what, measured, budget, ratio: ratio.toFixed(2) });
};

for (const { what, limit, ...size } of await measureSizes()) {
  if (limit) add(`${what}, bytes as ${limit.of}`, size[limit.of], limit.bytes, size[limit.of] / limit.bytes);
}

// A line for each page: "merchant account (goal 98): performance 100, accessibility 100, best-practices 100".
const { stdout, stderr } = spawnSync(process.execPath, ['drills/screens/run.ts', 'lighthouse'], {
  encoding: 'utf8',
});
const scores = [...stdout.matchAll(/^(.+?) \(goal (\d+)\): ((?:[a-z-]+ \d+(?:, )?)+)$/gm)];
if (scores.length === 0) throw new Error(`Lighthouse said nothing:\n${stdout}${stderr}`);
for (const [, page = '', goal = '', list = ''] of scores) {
  for (const [, category = '', score = ''] of list.matchAll(/([a-z-]+) (\d+)/g)) {
    add(`${page}: ${category}`, Number(score), Number(goal), Number(goal) / Number(score));
  }
}
report({ name: 'page', aim: { atMost: 1 }, ratio: Math.max(...ratios), rows });
