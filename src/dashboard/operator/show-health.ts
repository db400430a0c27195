import { bankNames } from '../../alerts/banks/bank-support.ts';
import { day, second } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { alarms } from '../../operator/alarms.ts';
import { inEachCell } from '../../operator/cells/in-each-cell.ts';
import { selectProcesses, selectRoutines } from '../../operator/queries.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import type { Texts } from '../../texts/languages.ts';
import { badge, emptyState, facts, moment, screen, timeSpan } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { healthTabs, section } from './change-merchant.ts';
import { type Alarm, alarmsOfAll, downAfter } from './find-alarms.ts';

/** The alarms in plain words, for an operator without Prometheus or one who was just woken. */
export async function showHealth(world: World, { texts, now }: Visit): Promise<Answer> {
  const words = texts.operator;
  const [answers, processes, found] = await Promise.all([
    inEachCell(world, async ({ sql, cell }) => ({ cell, routines: await selectRoutines(sql) })),
    // Every process reports to every cell, so one cell knows them all.
    selectProcesses(world.sql),
    alarmsOfAll(world, now),
  ]);
  const overdue = Math.max(0, ...processes.map(({ overdue_seconds }) => overdue_seconds)) * second;
  return screen(words.health, { quietOnPhone: true })`
${healthTabs(texts, 'operatorHealth')}
${alarmList(texts, found, bankNames(world))}
${section(words.routine)`${facts([
  ...answers
    .filter(one => one !== null)
    .flatMap(({ cell, routines }) =>
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
      ? badge(words.overdueFor({ time: timeSpan(texts, overdue) }), overdue > day ? 'bad' : 'warn')
      : badge(words.nothingOverdue, 'good'),
  ],
])}`}
${
  processes.length > 0 &&
  section(words.processes)`${facts(
    processes.map(({ process, version, silent_for, skew_seconds, lag_seconds }) => [
      process,
      silent_for > downAfter
        ? badge(words.silentFor({ time: timeSpan(texts, silent_for) }), 'bad')
        : html`${badge(words.answers, 'good')} ${words.processText({ version, skew: skew_seconds.toFixed(1), lag: Math.round(lag_seconds * second) })}`,
    ]),
  )}`
}`;
}

/** Each alarm in a sentence, with a link to its page. A process reports to every cell, so it is listed once. */
function alarmList(texts: Texts, found: readonly Alarm[], bankName: (id: string) => string): Html {
  const words = texts.operator;
  if (found.length === 0) return emptyState(words.allWell, words.allWellText, undefined, 'tick');
  const sentences = new Map(found.map(alarm => [sayAlarm(texts, alarm, bankName), alarm.name]));
  const rows = [...sentences].map(([who, name]) => ({
    href: `/docs/alarms#${name.toLowerCase()}`,
    face: { icon: 'warning', tone: 'ask' } as const,
    who,
    what: words.whatToDo,
  }));
  return section(words.alarms)`${rowList(rows)}`;
}

export function sayAlarm(texts: Texts, { name, facts }: Alarm, bankName: (id: string) => string): string {
  const { process = '', routine = '', bank = '', cell = '', count = 0, time = 0 } = facts;
  return insertFacts(alarms[name].message, {
    ...{ process, routine, cell, bank: bankName(bank) },
    ...{ count: count.toLocaleString('en-IN'), time: timeSpan(texts, time * second) },
  });
}
