import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { plainLink } from '../frame/controls.ts';
import { card, note, titledCard } from '../frame/parts.ts';
import type { Alarm } from './find-alarms.ts';

/** Each alarm in a sentence, with the way to its page. */
export function alarmList(texts: Texts, alarms: readonly Alarm[], bankName: (id: string) => string): Html {
  const words = texts.operator;
  if (alarms.length === 0) return card(html`<p>${words.allWell}</p>`, { title: words.alarms });
  return titledCard({ title: words.alarms })`<ul class="plain-list">${alarms.map(
    alarm =>
      html`<li>${note(
        html`<div class="attention"><p>${sentence(words, alarm, bankName)}</p><p class="note-link">${plainLink(`/docs/alarms#${alarm.kind.toLowerCase()}`, words.whatToDo)}</p></div>`,
        'bad',
      )}</li>`,
  )}</ul>`;
}

function sentence(words: Texts['operator'], alarm: Alarm, bankName: (id: string) => string): string {
  switch (alarm.kind) {
    case 'MilaanRoutineFailed':
      return words.routineFailed[alarm.routine];
    case 'MilaanDown':
    case 'MilaanClockWrong':
    case 'MilaanSlow':
      return words.alarmOfProcess[alarm.kind](alarm);
    case 'MilaanUnreadable':
    case 'MilaanForged':
      return words.alarmOfBank[alarm.kind]({ count: alarm.count, bank: bankName(alarm.bank) });
    default:
      return words.alarm[alarm.kind](alarm);
  }
}
