import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { canMail } from '../../outbox/mails/smtp.ts';
import { sayClock } from '../../texts/say-time.ts';
import { selectPaid } from '../first-steps/queries.ts';
import { showSteps } from '../first-steps/routes.ts';
import { icon } from '../frame/icon.ts';
import { indianDay, nextHour } from '../frame/indian-days.ts';
import { screen } from '../frame/parts.ts';
import { type Answer, get, notFound, type Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import { latestDays } from '../payments/payment-rows.ts';
import { sumMoneyToDo } from '../payments/queries/credits.ts';
import { sumDays } from '../payments/queries/entries.ts';
import { selectSummary } from '../reports/daily-mails.ts';
import { findToDo, type ToDo } from './find-to-do.ts';
import { hero, readPeriod } from './hero.ts';
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
  const [[today], waiting, mailed] = await Promise.all([
    sumDays(sql, merchantId, [indianDay(now)], now),
    sumMoneyToDo(sql, merchantId, now),
    selectSummary(sql, user),
  ]);
  const text = words.closeText({
    payments: texts.payments.count({ count: today!.count }),
    count: waiting.count,
  });
  const hour =
    mailed && canMail(config) && words.closeMailed({ hour: sayClock(texts.tag, nextHour(now, mailed.hour)) });
  return html`<section class="card filled close"><div><h2>${words.close}</h2><p class="small quiet">${[text, hour].filter(Boolean).join(' ')}</p></div><a class="button plain" href="/dashboard/reports">${icon('moon', true)}${words.close}</a></section>`;
}

const shownPayments = 6;

async function latest(world: World, visit: Visit): Promise<Html> {
  const words = visit.texts.home;
  const days = await latestDays(world, visit, shownPayments);
  if (days === null) return html``;
  return html`<section><div class="heading"><h2>${words.latest}</h2><a class="link" href="/dashboard/payments">${words.allPayments}</a></div>${days}</section>`;
}
