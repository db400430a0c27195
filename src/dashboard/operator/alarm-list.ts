import { second } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { alarms } from '../../operator/alarms.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import type { Texts } from '../../texts/languages.ts';
import { plainLink } from '../frame/controls.ts';
import { card, note, timeSpan, titledCard } from '../frame/parts.ts';
import type { Alarm } from './find-alarms.ts';

/** Each alarm in a sentence, with a link to its page. A process reports to every cell, so it is listed once. */
export function alarmList(texts: Texts, found: readonly Alarm[], bankName: (id: string) => string): Html {
  const words = texts.operator;
  if (found.length === 0) return card(html`<p>${words.allWell}</p>`, { title: words.alarms });
  const sentences = new Map(found.map(alarm => [sayAlarm(texts, alarm, bankName), alarm.name]));
  return titledCard({ title: words.alarms })`<ul class="plain-list">${[...sentences].map(
    ([said, name]) =>
      html`<li>${note(
        html`<div class="attention"><p>${said}</p><p class="note-link">${plainLink(`/docs/alarms#${name.toLowerCase()}`, words.whatToDo)}</p></div>`,
        'bad',
      )}</li>`,
  )}</ul>`;
}

export function sayAlarm(texts: Texts, { name, facts }: Alarm, bankName: (id: string) => string): string {
  const { process = '', routine = '', bank = '', cell = '', count = 0, time = 0 } = facts;
  return insertFacts(alarms[name].message, {
    ...{ process, routine, cell, bank: bankName(bank) },
    ...{ count: count.toLocaleString('en-IN'), time: timeSpan(texts, time * second) },
  });
}
