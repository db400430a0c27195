import type { Sample } from './measure.ts';
import { type Judged, roles } from './quantities.ts';

const columns: [string, (sample: Sample) => string][] = [
  ['time', ({ at }) => `${Math.floor(at)}:${String(Math.floor((at % 1) * 60)).padStart(2, '0')}`],
  ['orders', figure('orders')],
  ['pages', figure('pages')],
  ['errors', figure('errors')],
  ['memory w/m/r/d', ofEach('memory')],
  ['heap', ofEach('heap')],
  ['descriptors', ofEach('descriptors')],
  ['connections', ofEach('connections')],
  ['own MiB', ofEach('backends')],
  ['dead/row', sample => `${figure('dead worst', 2)(sample)} ${figure('dead all', 2)(sample)}`],
  ['dead small', figure('dead small')],
  ['waiting a/d', sample => `${figure('waiting alerts')(sample)}/${figure('waiting deliveries')(sample)}`],
  ['create', times('create', 1)],
  ['status', times('status', 1)],
  ['told', times('told')],
  ['cpu/order', figure('processor', 1)],
  ['cores', figure('share', 2)],
];

/** One line a look: memory, heap, descriptors, connections of web, mail, receive and deliver; times as p50 and p99 in ms. */
export function tableOf(samples: readonly Sample[]): string[] {
  const lines = [columns.map(([head]) => head), ...samples.map(one => columns.map(([, cell]) => cell(one)))];
  return aligned(lines);
}

/** A young process's memory is shown but not judged. */
export function verdictsOf(judged: readonly Judged[], isGrownUp: boolean): string[] {
  const show = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
  return aligned([
    ['quantity', 'first third', 'middle', 'last', 'allowed', ''],
    ...judged.map(({ panel, line, thirds, allows, rose, grownUp }) => [
      `${panel}: ${line}`,
      ...thirds.map(show),
      show(allows(thirds[0])),
      rose ? (grownUp && !isGrownUp ? 'young' : 'ROSE') : '',
    ]),
  ]);
}

function aligned(lines: readonly string[][]): string[] {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map(line => line[column]!.length)));
  return lines.map(line =>
    line
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

function figure(name: string, digits = 0): (sample: Sample) => string {
  return ({ figures }) => {
    const value = figures.get(name) ?? Number.NaN;
    return Number.isNaN(value) ? '-' : value.toFixed(digits);
  };
}

function ofEach(name: string): (sample: Sample) => string {
  return sample => roles.map(role => figure(`${name} ${role}`)(sample)).join('/');
}

function times(name: string, digits = 0): (sample: Sample) => string {
  return sample => `${figure(`${name} p50`, digits)(sample)} ${figure(`${name} p99`, digits)(sample)}`;
}
