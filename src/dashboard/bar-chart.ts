import { type Html, html } from '../http/html.ts';

export type Bar = { title: string; value: number };

const width = 600;
const height = 140;
const gap = 0.25;

/** Bars as SVG, drawn by the server: no script, no library, and one line of text for who cannot see it. */
export function barChart(bars: readonly Bar[], summary: string): Html {
  const most = Math.max(1, ...bars.map(bar => bar.value));
  const step = width / Math.max(1, bars.length);
  const number = (value: number) => value.toFixed(1);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height + 1}" role="img" aria-label="${summary}" preserveAspectRatio="none">
<line class="chart-axis" x1="0" x2="${width}" y1="${height}" y2="${height}"></line>
${bars.map((bar, at) => {
  const tall = bar.value === 0 ? 0 : Math.max(2, (bar.value / most) * (height - 6));
  return html`<rect class="chart-bar" x="${number(at * step + (step * gap) / 2)}" y="${number(height - tall)}" width="${number(step * (1 - gap))}" height="${number(tall)}" rx="2"><title>${bar.title}</title></rect>`;
})}
</svg>`;
}
