import type { World } from '../../base/world.ts';
import { textsIn } from '../../texts/languages.ts';
import { sayClock } from '../../texts/say-time.ts';
import { rupees } from '../frame/parts.ts';
import type { Attention } from '../home/find-attention.ts';
import type { DayTold } from './indian-hours.ts';
import type { DayFigures, DueSummary } from './queries.ts';

type Told = { day: DayTold; figures: DayFigures; attention: readonly Attention[] };

/** The day in the words of whoever asked for it: what came in, against the week before, and what needs a person. */
export function wordSummary(
  { baseUrl }: Pick<World, 'baseUrl'>,
  { language, business, next_at }: DueSummary,
  { day, figures, attention }: Told,
): { subject: string; text: string } {
  const tag = language ?? 'en';
  const words = textsIn(tag).summary;
  const hour = sayClock(tag, next_at);
  const date = day.told.from.toLocaleString(`${tag}-IN`, dayOfTheWeek);
  const money = attention.flatMap(one => (one.kind === 'unmatched_money' ? [one.count] : []));
  const others = attention.length - money.length;
  const lines = [
    business,
    words.day({ day: date, until: day.late ? hour : null }),
    '',
    words.came({ amount: rupees(figures.paise), count: figures.count }),
    figures.before_paise !== null &&
      words.before({ amount: rupees(figures.before_paise), count: figures.before_count }),
    figures.late_count > 0 &&
      words.late({ amount: rupees(figures.late_paise), count: figures.late_count, after: hour }),
    '',
    ...money.map(count => `${words.money(count)}\n${baseUrl}/dashboard/money`),
    others > 0 && words.others(others),
    attention.length === 0 && words.nothing,
    '',
    `${words.home}: ${baseUrl}/dashboard`,
    `${words.choose}: ${baseUrl}/dashboard/notices/choices`,
  ];
  const subject = words.subject({ business: oneLine(business), day: date, amount: rupees(figures.paise) });
  return { subject, text: `${lines.filter(line => line !== false).join('\n')}\n` };
}

const dayOfTheWeek = {
  timeZone: 'Asia/Kolkata',
  numberingSystem: 'latn',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
} as const;

/** A name inside a subject must hold no line break. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
