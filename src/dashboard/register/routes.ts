import { hour, later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { sayDay } from '../../texts/say-time.ts';
import { button, plainLink, selectField } from '../frame/controls.ts';
import { type Column, card, emptyState, note, rupees, screen, table } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, type Visit } from '../frame/route.ts';
import {
  type Period,
  type RegisterRow,
  registerHeader,
  selectRegister,
  selectRegisterLines,
} from './queries.ts';

const path = '/dashboard/orders/register';

export const registerRoutes = [
  get(path, 'orders.export', showRegister),
  get(`${path}.csv`, 'orders.export', async (world, visit) => {
    const period = readPeriod(visit);
    if (period === null) return await showRegister(world, visit);
    const lines = await selectRegisterLines(world.sql, visit.merchantId, period);
    await makeChange(world, visit, async () => ({ action: 'register.export', subject: period.name }));
    const content = `\ufeff${registerHeader}${lines.join('')}`;
    return {
      kind: 'download',
      name: `register-${period.name}.csv`,
      type: 'text/csv; charset=utf-8',
      content,
    };
  }),
];

async function showRegister(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, business } = visit;
  const words = texts.register;
  const period = readPeriod(visit);
  const rows = period && (await selectRegister(world.sql, merchantId, period));
  const back = { href: '/dashboard/orders', text: texts.shell.navigation.orders };
  const title =
    period === null ? words.title : words.of({ shop: business.name, period: sayPeriod(visit, period.name) });
  const chosen = period?.name ?? '';
  const actions = html`<button type="button" class="button plain" data-print hidden>${texts.counter.print}</button>
${plainLink(`${path}.csv?period=${chosen}`, texts.orders.csv)}`;
  return screen(words.title, { back, status: period === null ? 400 : 200 })`
<form method="get" action="${path}" class="stack no-print">${selectField('period', words.period, { value: chosen, choices: choicesOf(visit) })}
<div class="actions">${button(texts.labels.show, { plain: true })}</div></form>
${
  rows === null
    ? note(words.wrong, 'bad')
    : card(
        html`${rows.length === 0 ? emptyState(words.none, words.noneText) : registerTable(visit, rows)}
<p class="quiet">${words.explain}</p>`,
        { title, ...(rows.length > 0 && { actions }) },
      )
}`;
}

type Line = RegisterRow & { sum?: string };

const figures = ['orders', 'takings', 'back', 'refunds', 'kept', 'missing'] as const;

function registerTable(visit: Visit, rows: readonly RegisterRow[]): Html {
  const { texts } = visit;
  const words = texts.register;
  const months = new Set(rows.map(row => row.month));
  const accounts = [...new Set(rows.map(row => row.vpa))];
  const ofAccount = (vpa: string | null) =>
    addUp(
      rows.filter(row => row.vpa === vpa),
      `${words.sum}: ${vpa ?? words.unknown}`,
    );
  const lines: Line[] = [
    ...rows,
    ...(months.size > 1 && accounts.length > 1 ? accounts.map(ofAccount) : []),
    ...(rows.length > 1 ? [addUp(rows, words.sum)] : []),
  ];
  const figure = (title: string, count: (typeof figures)[number]): Column<Line> => ({
    title,
    number: true,
    cell: row =>
      row[`${count}_paise`] > 0 &&
      html`${rupees(row[`${count}_paise`])}${row[count] > 0 && html`<br><span class="quiet">${row[count].toLocaleString('en-IN')}</span>`}`,
  });
  const columns: Column<Line>[] = [
    {
      title: texts.labels.month,
      cell: row => (row.sum === undefined ? sayDay(texts.tag, row.month) : html`<strong>${row.sum}</strong>`),
    },
    {
      title: texts.upiAccounts.vpa,
      cell: row => row.sum === undefined && (row.vpa ?? words.unknown),
    },
    figure(words.orders, 'orders'),
    figure(words.takings, 'takings'),
    {
      title: words.collected,
      number: true,
      cell: row => html`<strong>${rupees(row.collected_paise)}</strong>`,
    },
    figure(words.back, 'back'),
    figure(words.refunds, 'refunds'),
    figure(words.kept, 'kept'),
    figure(words.missing, 'missing'),
  ];
  return html`<div class="register">${table(words.title, lines, columns)}</div>`;
}

function addUp(rows: readonly RegisterRow[], sum: string): Line {
  const total = (name: keyof RegisterRow) => rows.reduce((all, row) => all + Number(row[name]), 0);
  const sums = figures.flatMap(name => [
    [name, total(name)],
    [`${name}_paise`, total(`${name}_paise`)],
  ]);
  return { ...rows[0]!, ...Object.fromEntries(sums), collected_paise: total('collected_paise'), sum };
}

/** A month such as 2026-11, or a financial year by the year of its April. This month if none is given. */
function readPeriod({ query, now }: Visit): (Period & { name: string }) | null {
  const name = query.text('period') || monthOf(now);
  const [, year = '', month] = /^(20\d\d)(?:-(0[1-9]|1[0-2]))?$/.exec(name) ?? [];
  if (year === '') return null;
  const first = month === undefined ? 4 : Number(month);
  const day = (at: number) => new Date(Date.UTC(Number(year), at - 1, 1)).toISOString().slice(0, 10);
  return { name, from: day(first), to: day(first + (month === undefined ? 12 : 1)) };
}

const indiaAhead = 5.5 * hour;
const mostMonths = 24;
const mostYears = 8;

function monthOf(at: Date): string {
  return later(at, indiaAhead).toISOString().slice(0, 7);
}

/** The months and financial years that have begun. If another one was requested, it comes first. */
function choicesOf(visit: Visit) {
  const here = monthOf(visit.now);
  const [year, month] = [Number(here.slice(0, 4)), Number(here.slice(5))];
  const months = Array.from({ length: mostMonths }, (_, ago) =>
    new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 7),
  );
  const current = month >= 4 ? year : year - 1;
  const years = Array.from({ length: mostYears }, (_, ago) => String(current - ago));
  const asked = readPeriod(visit)?.name;
  const names = [...months, ...years];
  return [...(asked && !names.includes(asked) ? [asked] : []), ...names].map(value => ({
    value,
    text: sayPeriod(visit, value),
  }));
}

function sayPeriod({ texts }: Visit, name: string): string {
  if (name.length !== 4) return sayDay(texts.tag, name);
  const last = String((Number(name) + 1) % 100).padStart(2, '0');
  return texts.register.year({ years: `${name}–${last}` });
}
