import { type Html, html } from '../../base/http/html.ts';
import { roundRupees } from './parts.ts';

/** A day's name, its form under the axis, and its sum, also in words. */
export type Bar = { name: string; short: string; amount: number; value: string };

const width = 600;
const height = 160;
const gap = 0.25;
/** More names do not fit under the axis on a phone. */
const mostNames = 4;

/**
 * Bars as SVG with a scale, drawn by the server. Each has a radio button above it, so that touch, mouse and arrow keys
 * show its value without a script. The last one is selected at first.
 */
export function barChart(summary: string, bars: readonly Bar[]): Html {
  const most = Math.max(2, ...bars.map(bar => bar.amount));
  const top = roundUp(most);
  const step = width / Math.max(1, bars.length);
  const number = (value: number) => value.toFixed(1);
  const level = (amount: number) => number(height - (amount / top) * height);
  const every = Math.ceil(bars.length / mostNames);
  const line = (amount: number) =>
    html`<line class="chart-axis" x1="0" x2="${width}" y1="${level(amount)}" y2="${level(amount)}"></line>`;
  return html`<fieldset class="chart"><legend class="unseen">${summary}</legend>
<ol class="chart-scale" aria-hidden="true">${[top, top / 2, 0].map(amount => html`<li>${roundRupees(amount)}</li>`)}</ol>
<div class="chart-field">
<svg viewBox="0 0 ${width} ${height}" aria-hidden="true" preserveAspectRatio="none">
${[top, top / 2, 0].map(amount => line(amount))}
${bars.map((bar, at) => {
  const tall = bar.amount === 0 ? 0 : Math.max(2, (bar.amount / top) * height);
  return html`<rect class="chart-bar" x="${number(at * step + (step * gap) / 2)}" y="${number(height - tall)}" width="${number(step * (1 - gap))}" height="${number(tall)}" rx="2"></rect>`;
})}
</svg>
<div class="chart-values">${bars.map(
    (bar, at) =>
      html`<label title="${bar.name}: ${bar.value}"><input type="radio" name="days" class="unseen"${at === bars.length - 1 && html` checked`}><span class="chart-value"><span>${bar.name}</span> <strong>${bar.value}</strong></span></label>`,
  )}</div></div>
<ol class="chart-names" aria-hidden="true">${bars.map((bar, at) => html`<li>${(bars.length - 1 - at) % every === 0 && bar.short}</li>`)}</ol>
</fieldset>`;
}

/** Rounds up to a number with one digit that is easy to halve: 1, 2, 4, 6, 8, 10 and so on. */
export function roundUp(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].map(digit => digit * unit).find(amount => amount >= most) ?? most;
}
