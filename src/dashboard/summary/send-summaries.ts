import { hour, later, minute } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import { textsIn } from '../../texts/languages.ts';
import { sayClock } from '../../texts/say-time.ts';
import { rupees } from '../frame/parts.ts';
import { type Attention, findAttention } from '../home/find-attention.ts';
import { nextHour, type SummaryDay, summaryDay } from './indian-hours.ts';
import {
  type DayFigures,
  type DueSummary,
  moveSummary,
  selectDayFigures,
  selectDueSummaries,
} from './queries.ts';

const mostInARound = 50;
/** After an outage of more than half a day the next summary is nearer than the last one. */
const usefulFor = 12 * hour;

type Tellers = Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl' | 'log'>;

/** Writes all due summaries. Returns how many it handled. */
export async function sendSummaries(world: Tellers): Promise<number> {
  const due = await selectDueSummaries(world.sql, { now: world.clock.now(), limit: mostInARound });
  let done = 0;
  for (const summary of due) {
    try {
      await sendSummary(world, summary);
      done += 1;
    } catch (error) {
      // One failed summary must not delay the others; the next round tries it again.
      world.log.error({ err: error, merchant: summary.merchant_id }, 'a daily summary was not written');
    }
  }
  return done;
}

/** The mail and the next due time are one transaction. The process that moves the due time writes the mail. */
async function sendSummary(world: Tellers, due: DueSummary): Promise<void> {
  const { sql, clock } = world;
  const now = clock.now();
  const letter = due.is_wanted && now < later(due.next_at, usefulFor) ? await write(world, due, now) : null;
  await sql.begin(async tx => {
    const isOurs = await moveSummary(tx, due, nextHour(now, due.hour));
    if (isOurs && letter) await queueMail(tx, { ...letter, now, usefulFor });
  });
}

/** Null on a day without news, unless the person wants mails for those days too. */
async function write(world: Tellers, due: DueSummary, now: Date) {
  const { merchant_id: merchantId, email, even_empty } = due;
  const day = summaryDay(due.next_at);
  const figures = await selectDayFigures(world.sql, merchantId, day, now);
  const attention = await findAttention(world, merchantId);
  if (figures.count + figures.late_count + attention.length === 0 && !even_empty) return null;
  const words = wordSummary(world, due, { day, figures, attention });
  return sealLetter(world, { merchantId, recipient: email, ...words });
}

const pause = 1 * minute;

/** Sends the daily summaries. Without outgoing mail nothing runs. */
export function startSummaries(world: World): { stop(): Promise<void> } {
  if (!canMail(world.config)) return { stop: async () => {} };
  return keepWorking(world, { what: 'writing daily summaries', pause }, async () =>
    (await sendSummaries(world)) < mostInARound ? pause : 0,
  );
}

/** The day in the person's language: the income, compared with the week before, and what needs a person. */
function wordSummary(
  { baseUrl }: Pick<World, 'baseUrl'>,
  { language, business, next_at }: DueSummary,
  { day, figures, attention }: { day: SummaryDay; figures: DayFigures; attention: readonly Attention[] },
): { subject: string; text: string } {
  const tag = language ?? 'en';
  const words = textsIn(tag).summary;
  const hour = sayClock(tag, next_at);
  const date = day.span.from.toLocaleString(`${tag}-IN`, dayOfTheWeek);
  const money = attention.flatMap(one => (one.kind === 'unmatched_money' ? [one.count] : []));
  const others = attention.length - money.length;
  const sum = (paise: number, count: number) => words.sum({ amount: rupees(paise), count });
  const lines = [
    business,
    day.late ? words.dayUntil({ day: date, until: hour }) : date,
    '',
    words.came({ sum: sum(figures.paise, figures.count) }),
    figures.before_paise !== null && words.before({ sum: sum(figures.before_paise, figures.before_count) }),
    figures.late_count > 0 && words.late({ sum: sum(figures.late_paise, figures.late_count), after: hour }),
    '',
    ...money.map(count => `${words.money({ count })}\n${baseUrl}/dashboard/money`),
    others > 0 && words.others({ count: others }),
    attention.length === 0 && words.nothing,
    '',
    `${words.home}: ${baseUrl}/dashboard`,
    `${words.choose}: ${baseUrl}/dashboard/shop/notifications`,
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

/** A name inside a subject must not contain a line break. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
