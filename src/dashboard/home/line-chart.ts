import { type Html, html } from '../../base/http/html.ts';
import { roundUp } from '../frame/bar-chart.ts';
import { roundRupees } from '../frame/parts.ts';

/** A step's sums so far, in words and for the lines. `past` is null without a line to compare with. */
export type Point = { name: string; short: string; sum: number | null; past: number | null; value: string };

const width = 1000;
const height = 200;
/** More names do not fit under the line on a phone. */
const mostNames = 5;

/**
 * Two lines of sums that only grow: this period's, which ends at `progress` steps, and the one before. Each step has a
 * radio button above it, so that touch, mouse and arrow keys show its value without a script.
 */
export function lineChart(
  points: readonly Point[],
  { summary, progress, total }: { summary: string; progress: number; total: number },
): Html {
  const most = Math.max(200, total, ...points.map(({ past }) => past ?? 0));
  const top = roundUp(most / 1.1);
  const x = (at: number) => ((at / points.length) * width).toFixed(1);
  const y = (sum: number) => (height - (sum / Math.max(top, most)) * height).toFixed(1);
  const path = (ends: readonly (readonly [at: number, sum: number])[]) =>
    `M0 ${height}${ends.map(([at, sum]) => `L${x(at)} ${y(sum)}`).join('')}`;
  const past = points.flatMap(({ past: sum }, at) => (sum === null ? [] : [[at + 1, sum] as const]));
  const full = points.flatMap(({ sum }, at) =>
    sum === null || at + 1 > progress ? [] : [[at + 1, sum] as const],
  );
  const now = path([...full, [progress, total]]);
  const every = Math.ceil(points.length / mostNames);
  const half = height - (top / 2 / Math.max(top, most)) * height;
  return html`<fieldset class="plot"><legend class="unseen">${summary}</legend>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M0 ${height}H${width}M0 ${half}H${width}M0 0H${width}"></path>
<path class="under" d="${now}V${height}H0Z"></path>${past.length > 0 && html`<path class="past" d="${path(past)}"></path>`}<path class="now" d="${now}"></path></svg>
<svg class="points" aria-hidden="true"><circle cx="${((progress / points.length) * 100).toFixed(1)}%" cy="${((Number(y(total)) / height) * 100).toFixed(1)}%" r="5"></circle></svg>
<svg class="scale" aria-hidden="true"><text x="0" y="${((half / height) * 100).toFixed(1)}%" dy="-6">${roundRupees(top / 2)}</text></svg>
<div class="plot-values">${points.map(({ name, value }) => html`<label title="${name}: ${value}"><input type="radio" name="hero" class="unseen"><span class="plot-value"><span>${name}</span> <b>${value}</b></span></label>`)}</div>
<ol class="plot-names" aria-hidden="true">${points.map(({ short }, at) => html`<li>${at % every === 0 && short}</li>`)}</ol></fieldset>`;
}
