import { hour, later, minute } from '../../../clock.ts';
import { type Html, html } from '../../../http/html.ts';
import { silentAfter } from '../../../mailboxes/forwarding-state.ts';
import { blindAfter } from '../../../mailboxes/mailbox-state.ts';
import { selectRoutines } from '../../../operator/queries.ts';
import type { World } from '../../../world.ts';
import { bankNames } from '../../bank-names.ts';
import { type Bar, barChart } from '../../bar-chart.ts';
import { badge } from '../../components/badge.ts';
import { card } from '../../components/card.ts';
import { dayText } from '../../components/day-text.ts';
import { emptyState } from '../../components/empty-state.ts';
import { facts } from '../../components/facts.ts';
import { moment } from '../../components/moment.ts';
import { pageHead } from '../../components/page-head.ts';
import { findAlarms } from '../../find-alarms.ts';
import { selectRefusedByDay } from '../../queries/banks.ts';
import { selectInstallation, selectPaidByHour, selectTroubled } from '../../queries/operator.ts';
import { type Answer, page, type Visit } from '../../route.ts';
import { alarmList } from './alarm-list.ts';
import { businessTable } from './business-table.ts';

const shownTroubled = 100;
const chartHours = 24;
const chartDays = 14;
const indianOffset = 5 * hour + 30 * minute;

/** What the alarms ring for, in plain words, for whoever has no Prometheus and whoever was just woken by it. */
export async function showHealth(world: World, { texts, now }: Visit): Promise<Answer> {
  const words = texts.operator;
  const seenAfter = later(now, -blindAfter);
  const [figures, hours, days, routines, troubled] = await Promise.all([
    selectInstallation(world.sql, { now, seenAfter }),
    selectPaidByHour(world.sql, now, chartHours),
    selectRefusedByDay(world.sql, { now, days: chartDays }),
    selectRoutines(world.sql),
    selectTroubled(world.sql, {
      now,
      seenAfter,
      silentSince: later(now, -silentAfter),
      limit: shownTroubled,
    }),
  ]);
  const alarms = await findAlarms(world, figures, now);
  const names = Object.keys(words.figures) as (keyof typeof words.figures)[];
  const clockOf = (at: Date) => later(at, indianOffset).toISOString().slice(11, 16);
  const scale = (count: number) => count.toLocaleString('en-IN');
  const chart = (id: string, title: string, bars: readonly Bar[], summary: string): Html =>
    card(barChart({ id, summary, bars, scale }), { title });
  const body = html`${pageHead(words.health, { text: words.healthText })}
${alarmList(texts, alarms, bankNames(world))}
<div class="figures">${names.map(name =>
    card(
      html`<p class="quiet">${words.figures[name]}</p><p class="figure">${figures[name].toLocaleString('en-IN')}</p>
${name === 'due_deliveries' && figures.oldest_due && html`<p class="quiet">${words.oldest} ${moment(figures.oldest_due)}</p>`}`,
    ),
  )}</div>
${chart(
  'hours',
  words.paidChart,
  hours.map(({ hour: at, paid }) => ({
    name: words.fromHour(clockOf(at)),
    short: clockOf(at),
    amount: paid,
    value: scale(paid),
  })),
  words.paidByHour(figures.paid_today),
)}
${chart(
  'refused',
  words.refusedChart,
  days.map(({ day, refused }) => ({
    name: dayText(texts.tag, day, 'day'),
    short: dayText(texts.tag, day, 'short'),
    amount: refused,
    value: scale(refused),
  })),
  words.refusedByDay(days.reduce((sum, { refused }) => sum + refused, 0)),
)}
${card(
  facts(
    (['backup', 'verify'] as const).map(name => {
      const row = routines.find(({ routine }) => routine === name);
      const state = row && (row.succeeded ? badge(words.went, 'good') : badge(words.failed, 'bad'));
      return [
        words.routines[name],
        row ? html`${moment(row.finished_at)} ${state}` : badge(words.neverRan, 'warn'),
      ];
    }),
  ),
  { title: words.routine },
)}
${card(
  troubled.length === 0
    ? emptyState(words.troubledNone, words.troubledNoneText)
    : businessTable(texts, troubled, now),
  {
    title: words.troubled,
  },
)}`;
  return page({ title: words.health, body });
}
