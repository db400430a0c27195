import { bankNames } from '../../alerts/banks/bank-support.ts';
import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { countForwardings } from '../../alerts/forwarding/queries/probes.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { day, hour, later, minute, second } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { fromAll, inEachCell } from '../../operator/cells/in-each-cell.ts';
import { selectCounts, selectProcesses, selectRoutines } from '../../operator/queries.ts';
import type { ToldMetric } from '../../operator/told-metrics.ts';
import { type Bar, barChart, dayBar } from '../frame/bar-chart.ts';
import { badge, card, emptyState, facts, moment, screen } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { alarmList } from './alarm-list.ts';
import { businessTable } from './business-table.ts';
import { home } from './change-business.ts';
import { alarmsOfAll, downAfter } from './find-alarms.ts';
import { addedUp, cellLinks, chosenCell } from './over-cells.ts';
import { selectRefusedByDay } from './queries/banks.ts';
import { selectInstallation, selectPaidByHour, selectTroubled } from './queries/operator.ts';

const shownTroubled = 100;
const chartHours = 24;
const chartDays = 14;
const indianOffset = 5 * hour + 30 * minute;

/** What the alarms ring for, in plain words, for whoever has no Prometheus and whoever was just woken by it. */
export async function showHealth(world: World, visit: Visit): Promise<Answer> {
  const { texts, now } = visit;
  const words = texts.operator;
  const seenAfter = later(now, -blindAfter);
  const silentSince = later(now, -silentAfter);
  const asked = chosenCell(world, visit);
  const answers = await inEachCell(asked, async ({ sql, cell }) => {
    const [installation, hours, days, routines, counts, { silent }] = await Promise.all([
      selectInstallation(sql, { now, seenAfter }),
      selectPaidByHour(sql, now, chartHours),
      selectRefusedByDay(sql, { now, days: chartDays }),
      selectRoutines(sql),
      selectCounts(sql, later(now, -chartHours * hour)),
      countForwardings(sql, silentSince),
    ]);
    return { cell, installation, hours, days, routines, counts, silent };
  });
  const all = answers.filter(one => one !== null);
  const sum = (read: (one: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + read(one), 0);
  const installation = addedUp(all.map(one => one.installation));
  const hours = all[0]!.hours.map((bar, at) => ({ ...bar, paid: sum(one => one.hours[at]!.paid) }));
  const days = all[0]!.days.map((bar, at) => ({ ...bar, refused: sum(one => one.days[at]!.refused) }));
  const counts = all.flatMap(one => one.counts);
  const [processes, troubled, alarms] = await Promise.all([
    // Every process tells every cell.
    selectProcesses(asked.sql),
    fromAll(asked, ({ sql }) => selectTroubled(sql, { now, seenAfter, silentSince, limit: shownTroubled })),
    alarmsOfAll(asked, now),
  ]);
  const sumOf = (figure: ToldMetric, from = new Date(0), to = now) =>
    counts
      .filter(one => one.figure === figure && one.at >= from && one.at <= to)
      .reduce((sum, { count }) => sum + count, 0);
  const figures = {
    ...installation,
    silent_forwardings: sum(one => one.silent),
    dns_failures: sumOf('dns_failures'),
    key_changes: sumOf('key_changes'),
    mails_failed: sumOf('mails_failed'),
    pushes_failed: sumOf('pushes_failed'),
  };
  const overdue = Math.max(0, ...processes.map(({ overdue_seconds }) => overdue_seconds)) * second;
  const names = Object.keys(words.figures) as (keyof typeof words.figures)[];
  const clockOf = (at: Date) => later(at, indianOffset).toISOString().slice(11, 16);
  const scale = (count: number) => count.toLocaleString('en-IN');
  const hourBar = (at: Date, amount: number): Bar => {
    const short = clockOf(at);
    return { name: words.fromHour({ hour: short }), short, amount, value: scale(amount) };
  };
  const chart = (id: string, title: string, bars: readonly Bar[], summary: string): Html =>
    card(barChart({ id, summary, bars, scale }), { title });
  return screen(words.health, { text: words.healthText })`
${cellLinks(world, visit, `${home}/health`)}
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
  hours.map(({ hour: at, paid }) => hourBar(at, paid)),
  words.paidByHour({ paid: figures.paid_today }),
)}
${chart(
  'dns',
  words.dnsChart,
  hours.map(({ hour: at }) => hourBar(at, sumOf('dns_failures', at, later(at, hour - 1)))),
  words.dnsByHour({ failed: figures.dns_failures }),
)}
${chart(
  'refused',
  words.refusedChart,
  days.map(({ day, refused }) => dayBar(texts.tag, day, refused, scale(refused))),
  words.refusedByDay({ count: days.reduce((sum, { refused }) => sum + refused, 0) }),
)}
${card(
  facts([
    ...all.flatMap(({ cell, routines }) =>
      (['backup', 'verify'] as const).map((name): [string, Html] => {
        const row = routines.find(({ routine }) => routine === name);
        const state = row && (row.succeeded ? badge(words.went, 'good') : badge(words.failed, 'bad'));
        return [
          `${words.routines[name]}${cell === undefined ? '' : `, ${words.cell({ number: cell })}`}`,
          row ? html`${moment(row.finished_at)} ${state}` : badge(words.neverRan, 'warn'),
        ];
      }),
    ),
    [
      words.history,
      overdue > 0
        ? badge(words.overdueFor({ hours: Math.ceil(overdue / hour) }), overdue > day ? 'bad' : 'warn')
        : badge(words.nothingOverdue, 'good'),
    ],
  ]),
  { title: words.routine },
)}
${
  processes.length > 0 &&
  card(
    facts(
      processes.map(({ process, version, silent_for, skew_seconds, lag_seconds }) => [
        process,
        silent_for > downAfter
          ? badge(words.silentFor({ minutes: Math.floor(silent_for / minute) }), 'bad')
          : html`${badge(words.answers, 'good')} ${words.processText({ version, skew: skew_seconds.toFixed(1), lag: Math.round(lag_seconds * second) })}`,
      ]),
    ),
    { title: words.processes },
  )
}
${card(
  troubled.length === 0
    ? emptyState(words.troubledNone, words.troubledNoneText)
    : businessTable(texts, troubled, now),
  {
    title: words.troubled,
  },
)}`;
}
