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
/** After an outage: half a day later the next one is nearer than the last. */
const usefulFor = 12 * hour;

type Tellers = Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl' | 'log'>;

/** Writes the mails of everybody whose hour has come. Returns how many it dealt with. */
export async function sendSummaries(world: Tellers): Promise<number> {
  const due = await selectDueSummaries(world.sql, { now: world.clock.now(), limit: mostInARound });
  let done = 0;
  for (const summary of due) {
    try {
      await sendSummary(world, summary);
      done += 1;
    } catch (error) {
      // The others must not wait for whatever is wrong with this one; it is looked at again in the next round.
      world.log.error({ err: error, merchant: summary.merchant_id }, 'a daily summary was not written');
    }
  }
  return done;
}

/** The mail and the next day are one transaction: whoever moves the day on, of however many processes, writes the mail. */
async function sendSummary(world: Tellers, due: DueSummary): Promise<void> {
  const { sql, clock } = world;
  const now = clock.now();
  const letter = due.is_wanted && now < later(due.next_at, usefulFor) ? await write(world, due, now) : null;
  await sql.begin(async tx => {
    const isOurs = await moveSummary(tx, due, nextHour(now, due.hour));
    if (isOurs && letter) await queueMail(tx, { ...letter, now, usefulFor });
  });
}

/** Null on a day with nothing to tell, unless the person wants to hear that too. */
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

/** The day by mail, for whoever asked for it; where no mail leaves, nothing runs. */
export function startSummaries(world: World): { stop(): Promise<void> } {
  if (!canMail(world.config)) return { stop: async () => {} };
  return keepWorking(world, { what: 'writing daily summaries', pause }, async () =>
    (await sendSummaries(world)) < mostInARound ? pause : 0,
  );
}

/** The day in the words of whoever asked for it: what came in, against the week before, and what needs a person. */
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
