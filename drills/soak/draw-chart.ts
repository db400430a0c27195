import type { Sample } from './measure.ts';
import { quantities } from './quantities.ts';

const [width, height, columns] = [340, 190, 3];
const inner = { left: 48, right: 10, top: 40, bottom: 26 };

/** Colours that stand apart on paper and on black, for whoever sees fewer too; each line is dashed its own way as well. */
const style = `
  svg { background: #fff; font: 11px system-ui, sans-serif; fill: #1f2937 }
  .axis { stroke: #9ca3af; fill: none } .warm { fill: #f3f4f6 } .small { fill: #4b5563 } .title { font-weight: 600 }
  .line { fill: none; stroke-width: 1.5 }
  .c0 { stroke: #0b5fb0 } .c1 { stroke: #b3450b; stroke-dasharray: 6 2 }
  .c2 { stroke: #1c7a43; stroke-dasharray: 2 2 } .c3 { stroke: #7a3fb0; stroke-dasharray: 8 2 2 2 }
  @media (prefers-color-scheme: dark) {
    svg { background: #111827; fill: #e5e7eb } .axis { stroke: #6b7280 } .warm { fill: #1f2937 } .small { fill: #9ca3af }
    .c0 { stroke: #6fb4ff } .c1 { stroke: #ffa066 } .c2 { stroke: #6fd694 } .c3 { stroke: #c99bff }
  }`;

/** One panel for each quantity by the minute; the warm-up, which is not judged, is shaded. */
export function drawChart(samples: readonly Sample[], title: string, warmUp: number): string {
  const panels = [...Map.groupBy(quantities, ({ panel }) => panel)];
  const rows = Math.ceil(panels.length / columns);
  const drawn = panels.map(([name, lines], place) => {
    const [x, y] = [(place % columns) * width, 30 + Math.floor(place / columns) * height];
    return `<g transform="translate(${x} ${y})">${panel(samples, name, lines, warmUp)}</g>`;
  });
  const size = [columns * width, 30 + rows * height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}" role="img">
<title>${title}</title><style>${style}</style>
<text x="12" y="20" class="title">${title}</text>
${drawn.join('\n')}
</svg>
`;
}

function panel(samples: readonly Sample[], name: string, lines: typeof quantities, warmUp: number): string {
  const end = samples.at(-1)?.at ?? 1;
  const valuesOf = (figure: string) => samples.map(({ figures }) => figures.get(figure) ?? Number.NaN);
  const highest = Math.max(...lines.flatMap(({ figure }) => valuesOf(figure)).filter(Number.isFinite), 0);
  const top = roundUp(highest);
  const [right, bottom] = [width - inner.right, height - inner.bottom];
  const x = (at: number) => inner.left + (at / end) * (right - inner.left);
  const y = (value: number) => bottom - (value / top) * (bottom - inner.top);
  const text = (at: [number, number], said: string, more = 'class="small"') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${said}</text>`;
  const ends = 'class="small" text-anchor="end"';
  const legend = lines.map(({ line }, place) => {
    const from = inner.left + place * 72;
    return `<path class="line c${place}" d="M${from} 28h16"/>${text([from + 19, 31], line)}`;
  });
  const drawn = lines.map(({ figure }, place) => {
    const points = samples.flatMap(({ at }, index) => {
      const value = valuesOf(figure)[index]!;
      return Number.isFinite(value) ? [`${x(at).toFixed(1)},${y(value).toFixed(1)}`] : [];
    });
    return `<polyline class="line c${place}" points="${points.join(' ')}"/>`;
  });
  return [
    text([12, 14], name, 'class="title"'),
    `<rect class="warm" x="${inner.left}" y="${inner.top}" width="${(x(warmUp) - inner.left).toFixed(1)}" height="${bottom - inner.top}"/>`,
    `<path class="axis" d="M${inner.left} ${inner.top}V${bottom}H${right}"/>`,
    ...[0, 0.5, 1].map(part => text([inner.left - 5, y(top * part) + 4], figureOf(top * part), ends)),
    ...[0, 0.5].map(part => text([x(end * part), bottom + 14], figureOf(end * part))),
    text([right, bottom + 14], `${figureOf(end)} minutes`, ends),
    ...legend,
    ...drawn,
  ].join('\n');
}

function figureOf(value: number): string {
  return value >= 10 || Number.isInteger(value)
    ? String(Math.round(value))
    : value.toFixed(value < 1 ? 2 : 1);
}

/** To a figure whose half is easily read too. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const ten = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].map(part => part * ten).find(round => round >= value)!;
}
