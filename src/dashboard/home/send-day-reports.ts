import { hour, later, minute } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { queueMail, sealLetter } from '../../outbox/mails/queue-mail.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import { textsIn } from '../../texts/languages.ts';
import { sayClock } from '../../texts/say-time.ts';
import { addDays, indianDay, nextHour } from '../frame/indian-days.ts';
import { dayText, rupees } from '../frame/parts.ts';
import { type DueSummary, moveSummary, selectDueSummaries } from '../reports/daily-mails.ts';
import { dayLines, readDay } from '../reports/day-report.ts';
import { findToDo } from './find-to-do.ts';

const mostInARound = 50;
/** After an outage of more than half a day the next report is nearer than the last one. */
const usefulFor = 12 * hour;
/** From this hour on a mail is about its own day so far, before it about the day before. */
const noon = 12;

type ReportWorld = Pick<World, 'sql' | 'clock' | 'secrets' | 'baseUrl' | 'log'>;

export async function sendDayReports(world: ReportWorld): Promise<number> {
  const due = await selectDueSummaries(world.sql, { now: world.clock.now(), limit: mostInARound });
  let done = 0;
  for (const one of due) {
    try {
      await sendDayReport(world, one);
      done += 1;
    } catch (error) {
      // One failed report must not delay the others; the next round tries it again.
      world.log.error({ err: error, merchant: one.merchant_id }, "a day's report was not written");
    }
  }
  return done;
}

/** The mail and the next due time are one transaction. The process that moves the due time writes the mail. */
async function sendDayReport(world: ReportWorld, due: DueSummary): Promise<void> {
  const { sql, clock } = world;
  const now = clock.now();
  const letter = due.is_wanted && now < later(due.next_at, usefulFor) ? await write(world, due, now) : null;
  await sql.begin(async tx => {
    const isOurs = await moveSummary(tx, due, nextHour(now, due.hour));
    if (isOurs && letter) await queueMail(tx, { ...letter, now, usefulFor });
  });
}

/**
 * The same lines that the report's page shares, in the person's language. Null on a day without news, unless the person
 * wants mails for those days too. A report of an unfinished day has the whole day before in one line, because its
 * evening came after its own mail.
 */
async function write(world: ReportWorld, due: DueSummary, now: Date) {
  const { merchant_id: merchantId, next_at } = due;
  const tag = due.language ?? 'en';
  const texts = textsIn(tag);
  const words = texts.dayReport;
  const isSoFar = due.hour >= noon;
  const day = addDays(indianDay(next_at), isSoFar ? 0 : -1);
  const report = await readDay(world.sql, merchantId, day, now);
  const before = isSoFar ? (await readDay(world.sql, merchantId, addDays(day, -1), now)).total : null;
  const toDo = await findToDo(world, merchantId, texts);
  if (report.total.count + toDo.length === 0 && !due.even_empty) return null;
  const others = toDo.filter(({ kind }) => kind !== 'money').length;
  const date = dayText(tag, day, 'long');
  const lines = [
    due.business,
    before ? words.until({ day: date, until: sayClock(tag, next_at) }) : date,
    '',
    ...dayLines(texts, report),
    before &&
      words.before({ sum: words.sum({ amount: rupees(before.collected_paise), count: before.count }) }),
    others > 0 && words.others({ count: others }),
    '',
    `${words.report}: ${world.baseUrl}/dashboard/reports?period=${day}`,
    `${words.choose}: ${world.baseUrl}/dashboard/shop/notifications`,
  ];
  // A name inside a subject must not contain a line break.
  const business = due.business.replaceAll(/\s+/g, ' ');
  const amount = rupees(report.total.collected_paise);
  return sealLetter(world, {
    merchantId,
    recipient: due.email,
    subject: words.subject({ business, day: date, amount }),
    text: `${lines.filter(line => line !== null && line !== false).join('\n')}\n`,
  });
}

const pause = 1 * minute;

export function startDayReports(world: World): { stop(): Promise<void> } {
  if (!canMail(world.config)) return { stop: async () => {} };
  return keepWorking(world, { what: "mailing the day's reports", pause }, async () =>
    (await sendDayReports(world)) < mostInARound ? pause : 0,
  );
}
