import { minute } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { readCookie } from '../../base/http/read-cookie.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { customerTexts, sayReceived } from '../../texts/customer-texts.ts';
import { type CustomerLanguage, customerTags } from '../../texts/language-tags.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayClock } from '../../texts/say-time.ts';
import { segments } from '../frame/choosing.ts';
import { field } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { clock, dayText, rupees, screen, timeLeft } from '../frame/parts.ts';
import { type Answer, get, leave, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { type ListRow, letterFace, money, rowList, state } from '../frame/rows.ts';
import { type NearCredit, selectNearCredits } from './near-credits.ts';
import {
  type CounterFault,
  counterPath,
  makeFromForm,
  mostName,
  mostPurpose,
  receipt,
  shownOutcome,
  shownPayment,
} from './payment-page.ts';
import {
  type CounterOrder,
  mostOfToday,
  type PaidToday,
  selectCounterOrder,
  selectPaidToday,
  selectUnpaidToday,
  selectWaiting,
  sumPaidToday,
  type Whose,
} from './queries.ts';
import { findUnseen, sightBands, sightFlag } from './unseen-payments.ts';

// The counter: a person takes payments on a phone or at a shop counter, without a shop's server.

export const counterRoutes = [
  get(counterPath, 'payments.take', showCounter),
  post(counterPath, 'payments.take', ring),
  get(`${counterPath}/live`, 'payments.take', showLive),
  get(`${counterPath}/total`, 'payments.take', async (world, visit) => ({
    kind: 'fragment',
    body: await total(world, visit),
  })),
  get(`${counterPath}/today`, 'payments.take', showToday),
  get('/dashboard/pay', 'payments.take', async () => redirect(counterPath)),
  // An open page of the previous release posts its form here.
  post('/dashboard/pay', 'payments.take', ring),
  get('/dashboard/pay/:order_id', 'payments.take', showPayment),
  get('/dashboard/pay/:order_id/state', 'payments.take', async (world, visit) => {
    const { order } = await findShown(world, visit, visit.params['order_id']);
    return order ? leave(`/dashboard/pay/${order.order_id}`) : notFound();
  }),
];

export function collectTabs({ texts, may }: Visit, current: keyof Texts['counter']['places']): Html | null {
  if (!may('business.read')) return null;
  const { places } = texts.counter;
  const pages = [
    may('payments.take') && ('counter' as const),
    may('links.change') && ('links' as const),
    'poster' as const,
  ].filter(page => page !== false);
  const tabs = pages.map(page => ({
    href: `/dashboard/${page}`,
    text: places[page],
    current: page === current,
  }));
  return html`<div class="of-page no-print">${segments(texts.shell.navigation.collect, tabs)}</div>`;
}

async function ring(world: World, visit: Visit): Promise<Answer> {
  const made = await makeFromForm(world, visit);
  return 'fault' in made
    ? await showCounter(world, visit, made.fault)
    : redirect(`${counterPath}?order=${made.orderId}`);
}

/** A paid order is shown large for this time only. A tab reopened later must not show green for another customer. */
const staleAfter = 5 * minute;

type Shown = { order: CounterOrder | null; near: NearCredit[] };

async function findShown(
  world: World,
  { query, merchantId, now }: Visit,
  asked = query.text('order'),
): Promise<Shown> {
  const order = asked === '' ? null : await selectCounterOrder(world.sql, merchantId, asked, now);
  return { order, near: order === null ? [] : await selectNearCredits(world.sql, order, now) };
}

async function showCounter(world: World, visit: Visit, fault: CounterFault | null = null): Promise<Answer> {
  const { texts, now } = visit;
  const words = texts.counter;
  const { order, near } = await findShown(world, visit);
  const isAwaited = order?.status === 'pending';
  const isStale = order?.paid_at != null && now.getTime() - order.paid_at.getTime() > staleAfter;
  const outcome = order === null || isAwaited || isStale ? null : order;
  const address = `${counterPath}/live?order=${isStale ? '' : (order?.order_id ?? '')}`;
  const live = (part: string) => html`data-live="${address}" data-live-pause="1000" data-part="${part}"`;
  const parts = await liveParts(world, visit, { order, near });
  return screen(words.places.counter, { quietOnPhone: true, ...(fault !== null && { status: 400 }) })`
<div class="counter" data-counter data-language="${voiceOf(visit)}-IN">${collectTabs(visit, 'counter')}
${sightBands(visit, parts.unseen, counterPath)}
<div class="columns keys-first"><section class="stack near counter-pay"><div class="waiting-strip" ${live('waiting')}>${parts.waiting}</div>
<div role="status" data-outcome="${outcome?.status ?? ''}" data-shows="${order && showing(order, near)}">${outcome && shownOutcome(visit, outcome, near, world.baseUrl)}</div>
<div data-pay>${isAwaited ? shownPayment(visit, order, near, world.baseUrl) : keypad(visit, fault)}</div></section>
<section><div class="between counter-tools"><button type="button" class="button plain" data-sound data-say="${customerTexts(voiceOf(visit)).spoken.soundIsOn}" aria-pressed="false" hidden>${icon('sound', true)}<span class="when-on">${words.soundOn}</span><span class="when-off">${words.soundOff}</span></button><button type="button" class="button plain" data-fullscreen hidden>${icon('open', true)}${words.fullScreen}</button><a class="button plain" href="${counterPath}/box">${icon('bell', true)}${texts.box.title}</a></div>
<div class="heading"><h2>${words.today}</h2><span class="quiet" data-live="${counterPath}/total" data-live-after="counter-live">${await total(world, visit)}</span></div>
<div id="counter-live" aria-live="polite" ${live('payments')}>${parts.payments}</div><p class="quiet">${words.trust}</p></section></div></div>`;
}

async function showLive(world: World, visit: Visit): Promise<Answer> {
  const { waiting, payments } = await liveParts(world, visit, await findShown(world, visit));
  return {
    kind: 'fragment',
    body: html`<div data-part="waiting">${waiting}</div><div data-part="payments">${payments}</div>`,
  };
}

/** Identifies the state that the page shows. If the script gets another one, it reloads the page. */
function showing(order: CounterOrder, near: readonly NearCredit[]): string {
  return [order.status, ...near.map(credit => `${credit.alert_id}${credit.one_tap ? '!' : ''}`)].join(' ');
}

const quickSums = [20, 50, 100, 500];
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', '⌫'];

function keypad({ texts, form }: Visit, fault: CounterFault | null): Html {
  const words = texts.counter;
  const error = (name: string) => (fault?.field === name ? fault.text : undefined);
  const isOpen = ['purpose', 'customer'].some(name => form.text(name) !== '' || error(name) !== undefined);
  const isFault = fault?.field === 'amount' || fault?.field === null;
  return html`<form method="post" action="${counterPath}" class="stack near">
<div class="typed"><label class="unseen" for="amount">${words.amount}</label><span class="rupee" aria-hidden="true">₹</span><input id="amount" name="amount" class="counter-amount" placeholder="0" inputmode="decimal" autocomplete="off" required${isOpen ? '' : html` autofocus`} maxlength="12" value="${form.text('amount')}"${isFault && html` aria-invalid="true" aria-describedby="amount-error"`}></div>
${isFault && html`<p class="error middle" id="amount-error">${fault.text}${fault.way}</p>`}
<details class="more-fields"${isOpen && html` open`}><summary class="link">${icon('plus', true)}${words.more}</summary><div class="stack near">
${field('purpose', words.purpose, { hint: words.purposeHint, value: form.text('purpose'), maxlength: mostPurpose, autocomplete: 'off', error: error('purpose') })}
${field('customer', texts.labels.customer, { value: form.text('customer'), maxlength: mostName, autocomplete: 'off', error: error('customer') })}</div></details>
<div class="quick" role="group" aria-label="${words.quick}" data-keypad hidden>${quickSums.map(sum => html`<button type="button" class="chip" data-sum="${sum}">₹${sum}</button>`)}</div>
<div class="keys" data-keypad hidden>${keys.map(key => html`<button type="button" data-key="${key}"${key === '⌫' && html` aria-label="${words.erase}"`}>${key === '⌫' ? icon('erase') : key}</button>`)}</div>
<button class="button wide" data-ring><span class="if-seen">${words.showQr}</span><span class="if-lost">${icon('offline', true)} ${words.showQrLater}</span></button>
<p class="quiet middle if-lost" role="status">${words.kept}</p>
</form>`;
}

/** The parts that the script renews: the strip of waiting orders, and today's payments. */
async function liveParts(world: World, visit: Visit, { order, near }: Shown, leads = true) {
  const { texts, merchantId, user, now } = visit;
  const words = texts.counter;
  const [payments, waiting, unseen] = await Promise.all([
    selectPaidToday(world.sql, merchantId, now, whose(visit)),
    selectWaiting(world.sql, merchantId, user.email, now),
    findUnseen(world, visit),
  ]);
  const others = waiting.filter(one => one.order_id !== order?.order_id);
  // The words are visible if one waits alone.
  const said = (words: string) => html`<span${others.length > 1 && html` class="unseen"`}>${words}</span>`;
  const hasNews = order !== null && (order.status !== 'pending' || near.length > 0);
  return {
    unseen,
    waiting:
      others.length > 0 &&
      html`${others.map(one =>
        one.is_paid
          ? html`<p class="waits paid">${icon('tick', true)}<b>${words.paid({ amount: rupees(one.payable_paise) })}</b></p>`
          : html`<a class="waits" href="${counterPath}?order=${one.order_id}">${icon('clock', true)}${said(words.waiting)} <b>${rupees(one.payable_paise)}</b> · ${clock(one.expires_at.getTime() - now.getTime())} ${said(texts.labels.show)}</a>`,
      )}`,
    payments: html`${sightFlag(unseen)}${hasNews && html`<span hidden data-over="${counterPath}?order=${order.order_id}" data-shows="${showing(order, near)}"></span>`}
${payments.length === 0 ? html`<p class="quiet">${words.nothingToday}</p>` : rowList(payments.map(one => paidRow(visit, one, { leads })))}`,
  };
}

/** Today's payments alone, for the sound box. Nothing in them leads away, and the language is the device's. */
export async function livePayments(world: World, visit: Visit): Promise<Html> {
  return (await liveParts(world, visit, { order: null, near: [] }, false)).payments;
}

function whose({ may }: Visit): Whose {
  return { onlyCounter: !may('business.read') };
}

async function total(world: World, visit: Visit): Promise<Html> {
  const { count, paise } = await sumPaidToday(world.sql, visit.merchantId, visit.now, whose(visit));
  return html`${count > 0 && html`${visit.texts.payments.count({ count })} · ${money(paise)}`}`;
}

function paidRow(visit: Visit, one: PaidToday, { leads = true } = {}): ListRow {
  const { order_id, alert_id, received_paise, is_earlier, is_new } = one;
  const { texts } = visit;
  const words = texts.counter;
  const name = shownName(one.customer?.name) || shownName(one.payer);
  const readsAll = visit.may('business.read');
  const page =
    order_id === null
      ? readsAll && `/dashboard/money/${alert_id}`
      : `/dashboard/${readsAll ? 'orders' : 'pay'}/${order_id}`;
  const way =
    order_id !== null && one.purpose === null ? texts.reports.sources.website : words.places.counter;
  const source = order_id === null ? texts.money.kinds.orderless : shownName(one.purpose) || way;
  const ending = order_id === null && one.bank_reference !== null && ` …${one.bank_reference.slice(-4)}`;
  return {
    ...(leads && page !== false && { href: page }),
    face: letterFace(name || null),
    who: html`<bdi data-payment="${alert_id}"${is_earlier && html` data-earlier`}${is_new && html` data-say="${spoken(visit, received_paise)}"`}>${name || way}</bdi>`,
    what: html`<bdi>${source}</bdi>${ending}`,
    when: sayClock(texts.tag, (is_earlier && one.alert_time) || one.paid_at),
    sum: leads
      ? money(received_paise)
      : html`<span${rupees(received_paise).length > 9 && html` class="long"`}>${money(received_paise)}</span>`,
    state: is_earlier ? state(words.earlier, 'quiet') : state(texts.shell.statuses.paid, 'good'),
  };
}

/** The language for spoken payments: the query's `?say=`, else the device's choice, else the screen's language. */
export function voiceOf({ request, query, texts }: Visit): CustomerLanguage {
  const chosen = query.text('say') || readCookie(request.headers.cookie, 'milaan-voice');
  return customerTags.find(tag => tag === chosen) ?? texts.tag;
}

export function saysPaise({ request }: Visit): boolean {
  return readCookie(request.headers.cookie, 'milaan-paise') === 'on';
}

function spoken(visit: Visit, paise: number): string {
  return sayReceived(customerTexts(voiceOf(visit)).spoken, paise, { withPaise: saysPaise(visit) });
}

/** A cashier's second page: all of today's payments of the counter, also those that wait or were not paid. */
async function showToday(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.counter;
  const [paid, unpaid, { count, paise }] = await Promise.all([
    selectPaidToday(world.sql, merchantId, now, { ...whose(visit), most: mostOfToday }),
    selectUnpaidToday(world.sql, merchantId, now),
    sumPaidToday(world.sql, merchantId, now, whose(visit)),
  ]);
  const rows = [
    ...paid.map(one => ({ at: one.paid_at, row: paidRow(visit, one) })),
    ...unpaid.map(order => ({ at: order.created_at, row: unpaidRow(visit, order) })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  return screen(words.today, { quietOnPhone: true })`
<div><p class="quiet">${dayText(texts.tag, now, 'long')}</p><div class="between"><p class="figure">${money(paise)}</p><span>${texts.payments.count({ count })}</span></div></div>
${rows.length === 0 ? html`<p class="quiet">${words.nothingToday}</p>` : rowList(rows.map(({ row }) => row))}<p class="quiet">${words.trust}</p>`;
}

function unpaidRow({ texts, now }: Visit, order: CounterOrder): ListRow {
  const { counter: words, tag } = texts;
  const waits = order.status === 'pending';
  return {
    href: waits ? `${counterPath}?order=${order.order_id}` : `/dashboard/pay/${order.order_id}`,
    face: { icon: 'clock', tone: waits ? 'ask' : 'still' },
    who: shownName(order.customer?.name) || words.places.counter,
    what: shownName(order.purpose) || words.qrShown,
    when: sayClock(tag, order.created_at),
    sum: money(order.payable_paise),
    state: waits
      ? state(timeLeft(texts, order.expires_at.getTime() - now.getTime()), 'warn', { open: true })
      : order.status === 'manual_review'
        ? state(texts.shell.statuses.manual_review, 'warn')
        : state(texts.payments.states.unpaid, 'quiet', { open: true }),
  };
}

/** One of today's payments: the receipt of a paid one. A waiting one is on the counter. */
async function showPayment(world: World, visit: Visit): Promise<Answer> {
  const { texts, params, may } = visit;
  const { order, near } = await findShown(world, visit, params['order_id']);
  if (!order) return notFound();
  if (order.status === 'pending') return redirect(`${counterPath}?order=${order.order_id}`);
  const back = may('business.read')
    ? { href: counterPath, text: texts.counter.places.counter }
    : { href: `${counterPath}/today`, text: texts.counter.today };
  return screen(texts.counter.receipt, { back })`
${order.status === 'paid' ? receipt(visit, order, world.baseUrl) : shownOutcome(visit, order, near, world.baseUrl)}`;
}
