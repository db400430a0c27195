import { bankNames } from '../../alerts/banks/bank-support.ts';
import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { countForwardings } from '../../alerts/forwarding/queries/probes.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { day, hour, later, minute, second } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { inEachCell } from '../../operator/cells/in-each-cell.ts';
import { selectCounts, selectProcesses, selectRoutines } from '../../operator/queries.ts';
import type { ReportedMetric } from '../../operator/running/reported-metrics.ts';
import { fold } from '../frame/choosing.ts';
import { badge, card, facts, moment, screen } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { alarmList } from './alarm-list.ts';
import { healthTabs, home } from './change-business.ts';
import { alarmsOfAll, downAfter } from './find-alarms.ts';
import { addedUp, cellLinks, chosenCell } from './over-cells.ts';
import { selectInstallation } from './queries/operator.ts';

/** The alarms' figures in plain words, for an operator without Prometheus or one who was just woken. */
export async function showHealth(world: World, visit: Visit): Promise<Answer> {
  const { texts, now } = visit;
  const words = texts.operator;
  const seenAfter = later(now, -blindAfter);
  const silentSince = later(now, -silentAfter);
  const asked = chosenCell(world, visit);
  const answers = await inEachCell(asked, async ({ sql, cell }) => {
    const [installation, routines, counts, { silent }] = await Promise.all([
      selectInstallation(sql, { now, seenAfter }),
      selectRoutines(sql),
      selectCounts(sql, later(now, -day)),
      countForwardings(sql, silentSince),
    ]);
    return { cell, installation, routines, counts, silent };
  });
  const all = answers.filter(one => one !== null);
  const installation = addedUp(all.map(one => one.installation));
  const counts = all.flatMap(one => one.counts);
  const [processes, alarms] = await Promise.all([
    // Every process reports to every cell, so one cell knows them all.
    selectProcesses(asked.sql),
    alarmsOfAll(asked, now),
  ]);
  const sumOf = (figure: ReportedMetric) =>
    counts.filter(one => one.figure === figure).reduce((sum, { count }) => sum + count, 0);
  const figures = {
    ...installation,
    silent_forwardings: all.reduce((sum, { silent }) => sum + silent, 0),
    dns_failures: sumOf('dns_failures'),
    key_changes: sumOf('key_changes'),
    mails_failed: sumOf('mails_failed'),
    pushes_failed: sumOf('pushes_failed'),
  };
  const overdue = Math.max(0, ...processes.map(({ overdue_seconds }) => overdue_seconds)) * second;
  const names = Object.keys(words.figures) as (keyof typeof words.figures)[];
  return screen(words.health, { quietOnPhone: true })`
${healthTabs(texts, 'operatorHealth')}
${cellLinks(world, visit, `${home}/health`)}
${alarmList(texts, alarms, bankNames(world))}
${fold(
  words.figuresTitle,
  facts(
    names.map(name => [
      words.figures[name],
      html`${figures[name].toLocaleString('en-IN')}${name === 'due_deliveries' && figures.oldest_due && html` <span class="quiet">${words.oldest} ${moment(figures.oldest_due)}</span>`}`,
    ]),
  ),
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
}`;
}
