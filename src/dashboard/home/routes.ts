import { type Html, html } from '../../base/http/html.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import { sayClock } from '../../texts/say-time.ts';
import { selectPaid } from '../first-steps/queries.ts';
import { showSteps } from '../first-steps/routes.ts';
import { icon } from '../frame/icons.ts';
import { addDays, daysBetween, indianDay, nextHour } from '../frame/indian-days.ts';
import { dayText, screen } from '../frame/parts.ts';
import { type Answer, get, notFound, type Visit } from '../frame/route.ts';
import { dayHeading, type ListRow, letterFace, money, rowList, state } from '../frame/rows.ts';
import { withQuery } from '../frame/with-query.ts';
import { sumMoneyToDo } from '../money/queries/money.ts';
import { selectSummary } from '../reports/daily-mails.ts';
import { findToDo, type ToDo } from './find-to-do.ts';
import { hero, readPeriod } from './hero.ts';
import { type LatestPayment, selectLatestPayments, selectSum } from './queries.ts';
import { toDoList, toDoRoutes } from './to-do.ts';

const heroPath = '/dashboard/today';
const paymentsPath = '/dashboard/today/payments';

export const homeRoutes = [
  get('/dashboard', 'business.read', showHome),
  get(heroPath, 'business.read', async (world, visit) => fragment(await hero(world, visit))),
  get(paymentsPath, 'business.read', async (world, visit) => fragment(await latest(world, visit))),
  ...toDoRoutes,
];

function fragment(body: Html | null): Answer {
  return body === null ? notFound() : { kind: 'fragment', body };
}

async function showHome(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, texts } = visit;
  const isNew = !(await selectPaid(world.sql, merchantId)).any;
  const found = await findToDo(world, merchantId, texts);
  if (isNew) {
    const waiting = found.filter(({ kind }) => !setUp.includes(kind));
    return await showSteps(world, visit, { below: waiting.length > 0 && toDoList(visit, waiting) });
  }
  const [shown, payments, close] = await Promise.all([
    hero(world, visit),
    latest(world, visit),
    closeCard(world, visit),
  ]);
  if (!shown) return notFound();
  const period = readPeriod(visit);
  // A long period is expensive to sum up, so the script asks for it only when a payment has come.
  const live = withQuery(heroPath, { period: period !== 'day' && period });
  return screen(texts.shell.navigation.home, { quietOnPhone: true })`<div class="columns home">
<div class="main-column"><div id="today" data-live="${live}"${period !== 'day' && html` data-live-after="latest"`}>${shown}</div>
<div id="latest" data-live="${paymentsPath}">${payments}</div></div>
<aside class="side-column">${visit.may('payments.take') && html`<div class="desk-only"><a class="button" href="/dashboard/counter">${icon('plus')}${texts.home.collect}</a></div>`}
${toDoList(visit, found)}
${close}</aside></div>`;
}

/** The steps already show these, so they are not alarms too. */
const setUp: readonly ToDo['kind'][] = ['no_account', 'no_bank', 'no_mailbox'];

async function closeCard({ sql, config }: World, visit: Visit): Promise<Html> {
  const { merchantId, texts, now, user } = visit;
  const words = texts.home;
  const today = indianDay(now);
  const [{ count }, waiting, mailed] = await Promise.all([
    selectSum(sql, merchantId, daysBetween(today, addDays(today, 1)), now),
    sumMoneyToDo(sql, merchantId, now),
    selectSummary(sql, user),
  ]);
  const text = words.closeText({ payments: words.orders({ count }), count: waiting.count });
  const hour =
    mailed && canMail(config) && words.closeMailed({ hour: sayClock(texts.tag, nextHour(now, mailed.hour)) });
  return html`<section class="card filled close"><div><h2>${words.close}</h2><p class="small quiet">${[text, hour].filter(Boolean).join(' ')}</p></div><a class="button plain" href="/dashboard/reports">${icon('moon', true)}${words.close}</a></section>`;
}

const shownPayments = 6;

/** The latest payments by day, each day with all that came in on it. */
async function latest({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const { merchantId, texts, now } = visit;
  const words = texts.home;
  const payments = await selectLatestPayments(sql, merchantId, now, shownPayments);
  if (payments.length === 0) return html``;
  const days = [...new Set(payments.map(one => indianDay(one.paid_at)))];
  const sums = await Promise.all(
    days.map(day => selectSum(sql, merchantId, daysBetween(day, addDays(day, 1)), now)),
  );
  const today = indianDay(now);
  const nameOf = (day: string) => {
    if (day === today) return words.today;
    const name = dayText(texts.tag, day, 'day');
    return day === addDays(today, -1) ? words.yesterday({ day: name }) : name;
  };
  return html`<section><div class="heading"><h2>${words.latest}</h2><a class="link" href="/dashboard/payments">${words.allPayments}</a></div>
${days.map((day, at) => {
  const rows = payments.filter(one => indianDay(one.paid_at) === day).map(one => rowOf(visit, one));
  const { count, paise } = sums[at]!;
  return html`${dayHeading(nameOf(day), html`${words.orders({ count })} · ${money(paise)}`)}${rowList(rows)}`;
})}</section>`;
}

function rowOf({ texts }: Visit, one: LatestPayment): ListRow {
  const sources = texts.reports.sources;
  const name = shownName(one.customer?.name) || one.payer;
  const what = one.purpose || sources[one.source];
  return {
    href: `/dashboard/${one.order_id === null ? `money/${one.alert_id}` : `orders/${one.order_id}`}`,
    face: letterFace(name),
    who: html`<bdi>${name ?? what}</bdi>`,
    what: html`<bdi>${name === null ? sources[one.source] : what}</bdi>`,
    when: sayClock(texts.tag, one.paid_at),
    sum: money(one.received_paise),
    state: state(texts.shell.statuses.paid, 'good'),
  };
}
