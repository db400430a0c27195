import { isBlind } from '../../alerts/forwarding/forwarding-state.ts';
import { minute } from '../../base/clock.ts';
import { type Html, html, trusted } from '../../base/http/html.ts';
import { readCookie } from '../../base/http/read-cookie.ts';
import { shownName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { addedTo } from '../../orders/page/format-amount.ts';
import { linkOf } from '../../orders/present-order.ts';
import { qrSvg } from '../../orders/upi-link.ts';
import { customerTexts } from '../../texts/customer-texts.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { type CustomerLanguage, customerTags, languageTags } from '../../texts/language-tags.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { moment, note, rupees } from '../frame/parts.ts';
import { type Answer, get, page, post, redirect, type Visit } from '../frame/route.ts';
import type { CreditRow } from '../money/queries/money.ts';
import { selectLanguages } from '../shop/queries.ts';
import { nearNotes, selectNearCredits } from './near-credits.ts';
import { type CounterFault, makeFromForm, paidPanel, tooMuchNote } from './payment-page.ts';
import {
  areTakingsStopped,
  type CounterOrder,
  type PaidToday,
  selectCounterOrder,
  selectPaidToday,
} from './queries.ts';

const home = '/dashboard/counter';

export const counterRoutes = [
  get(home, 'payments.take', showCounter),
  post(home, 'payments.take', ring),
  get(`${home}/live`, 'payments.take', showLive),
];

async function ring(world: World, visit: Visit): Promise<Answer> {
  const made = await makeFromForm(world, visit);
  return 'fault' in made
    ? await showCounter(world, visit, made.fault)
    : redirect(`${home}?order=${made.orderId}`);
}

/** A paid order is shown large for this time only. A tab reopened later must not show green for another customer. */
const freshFor = 5 * minute;

async function showCounter(world: World, visit: Visit, fault: CounterFault | null = null): Promise<Answer> {
  const { texts, query, now } = visit;
  const words = texts.counter;
  const asked = query.text('order');
  const order = asked === '' ? null : await selectCounterOrder(world.sql, visit.merchantId, asked, now);
  const near = order === null ? [] : await selectNearCredits(world.sql, order, now);
  const isAwaited = order?.status === 'pending';
  const isStale = order?.paid_at != null && now.getTime() - order.paid_at.getTime() > freshFor;
  const outcome = order === null || isAwaited || isStale ? null : order;
  const body = html`<h1 class="unseen">${texts.shell.navigation.counter}</h1><div class="counter" data-counter data-language="${voiceOf(visit)}-IN">
<section class="card counter-pay"><div role="status" data-outcome="${outcome?.status ?? ''}" data-shows="${order && showing(order, near)}">${outcome && shownOutcome(visit, outcome, near)}</div>
<div data-pay>${isAwaited ? shownPayment(visit, order, near) : keypad(visit, fault)}</div></section>
<section class="card counter-list"><div class="card-head"><h2>${words.today}</h2><div class="actions">${await voiceChoice(world, visit)}<button type="button" class="button plain" data-sound aria-pressed="false" hidden>${words.sound}<span aria-hidden="true">: <span class="when-on">${words.on}</span><span class="when-off">${words.off}</span></span></button><button type="button" class="button plain" data-fullscreen hidden>${words.fullScreen}</button>${plainLink(`${home}/box`, texts.box.use)}</div></div>
<div id="counter-live" aria-live="polite" data-live="${home}/live?order=${isStale ? '' : (order?.order_id ?? '')}" data-live-pause="1000">${await live(world, visit, order, near)}</div></section>
</div>`;
  return page({ title: texts.shell.navigation.counter, body, ...(fault !== null && { status: 400 }) });
}

async function showLive(world: World, visit: Visit): Promise<Answer> {
  const asked = visit.query.text('order');
  const order = asked === '' ? null : await selectCounterOrder(world.sql, visit.merchantId, asked, visit.now);
  const near = order === null ? [] : await selectNearCredits(world.sql, order, visit.now);
  return { kind: 'fragment', body: await live(world, visit, order, near) };
}

/** Identifies the state that the page shows. If the script gets another one, it reloads the page. */
function showing(order: CounterOrder, near: readonly CreditRow[]): string {
  return [order.status, ...near.map(credit => credit.alert_id)].join(' ');
}

function keypad({ texts, form }: Visit, fault: CounterFault | null): Html {
  const words = texts.counter;
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', '⌫'];
  return html`<form method="post" action="${home}" class="stack">
<label for="amount">${words.amount}</label>
${fault !== null && html`<p class="error" id="amount-error">${fault.text}${fault.way}</p>`}
<input id="amount" name="amount" class="counter-amount" inputmode="decimal" autocomplete="off" required autofocus maxlength="12" value="${form.text('amount')}"${fault !== null && html` aria-invalid="true" aria-describedby="amount-error"`}>
<div class="keypad" data-keypad hidden>${keys.map(key => html`<button type="button" class="button plain" data-key="${key}"${key === '⌫' && html` aria-label="${words.erase}"`}>${key}</button>`)}</div>
<button class="button">${words.showQr}</button>
</form>`;
}

function shownPayment(visit: Visit, order: CounterOrder, near: readonly CreditRow[]): Html {
  const { texts } = visit;
  const words = texts.counter;
  const amount = rupees(order.payable_paise);
  return html`${nearNotes(visit, order, near, home)}<p class="counter-sum">${amount}</p>${tooMuchNote(texts, order)}
<p class="quiet">${words.added(addedTo(order))}</p>
<div class="counter-qr" role="img" aria-label="${words.qr({ amount })}">${trusted(qrSvg(linkOf(order)))}</div>
<p class="quiet">${words.until}: ${moment(order.expires_at)}</p>
<div class="actions">${plainLink(home, words.next)}</div>`;
}

/** Replaces the QR code once nobody waits for it. Only money that came is green. */
function shownOutcome(visit: Visit, order: CounterOrder, near: readonly CreditRow[]): Html {
  const { texts } = visit;
  if (order.status === 'paid') return paidPanel(texts, order);
  const { counter, shell, money } = texts;
  const isWaiting = order.status === 'manual_review';
  const over = near.length === 0 ? counter.nothingCame : counter.timeOver;
  return html`<div class="over-panel"><p class="counter-sum">${rupees(order.payable_paise)}</p>
<p>${order.status === 'expired' ? over : isWaiting ? counter.near.held : shell.statuses[order.status]}</p>${nearNotes(visit, order, near, home)}
${isWaiting && visit.may('money.decide') && html`<div data-near>${linkButton(`/dashboard/orders/${order.order_id}`, money.decide)}</div>`}${plainLink(home, counter.next)}</div>`;
}

/** The live parts: whether payments can be seen, the awaited payment and today's payments. */
export async function live(
  world: World,
  visit: Visit,
  order: CounterOrder | null,
  near: readonly CreditRow[],
) {
  const { texts, merchantId, now } = visit;
  const words = texts.counter;
  const [payments, blind, isStopped] = await Promise.all([
    selectPaidToday(world.sql, merchantId, now),
    isBlind(world, merchantId),
    areTakingsStopped(world.sql, merchantId, now),
  ]);
  const hasNews = order !== null && (order.status !== 'pending' || near.length > 0);
  return html`${blind && html`<div data-blind="blind">${note(words.blind, 'bad')}</div>`}${isStopped && html`<div data-blind="full">${note(words.takingsStopped, 'bad')}</div>`}
${hasNews && html`<span hidden data-over="${home}?order=${order.order_id}" data-shows="${showing(order, near)}"></span>`}
${payments.length === 0 ? html`<p class="quiet">${words.nothingToday}</p>` : html`<ol class="plain-list counter-payments">${payments.map(one => payment(visit, one))}</ol>`}
<p class="quiet">${words.trust}</p>`;
}

function payment(visit: Visit, one: PaidToday): Html {
  const { order_id, alert_id, received_paise, is_earlier, is_new } = one;
  const words = visit.texts.counter;
  const said = sayReceived(voiceOf(visit), received_paise);
  const sum = html`<strong>${rupees(received_paise)}</strong>`;
  const page =
    order_id !== null ? `pay/${order_id}` : visit.may('business.read') ? `money/${alert_id}` : null;
  const about =
    order_id === null
      ? [words.withoutOrder, shownName(one.payer), one.bank_reference && `…${one.bank_reference.slice(-4)}`]
      : [shownName(one.purpose), shownName(one.customer?.name)];
  return html`<li data-payment="${alert_id}"${is_earlier && html` data-earlier`}${is_new && html` data-say="${said}"`}>${page === null ? sum : html`<a href="/dashboard/${page}">${sum}</a>`} <span class="quiet">${is_earlier && `${words.earlier} `}${moment((is_earlier && one.alert_time) || one.paid_at)} <bdi>${about.filter(Boolean).join(', ')}</bdi></span></li>`;
}

/** The language for spoken payments: the query's `?say=`, else the device's choice, else the screen's language. */
export function voiceOf({ request, query, texts }: Visit): CustomerLanguage {
  const chosen = query.text('say') || readCookie(request.headers.cookie, 'milaan-voice');
  return customerTags.find(tag => tag === chosen) ?? texts.tag;
}

function sayReceived(voice: CustomerLanguage, paise: number): string {
  const { received, receivedPaise } = customerTexts(voice).spoken;
  const [rupees, rest] = [String(Math.floor(paise / 100)), paise % 100];
  return rest === 0
    ? insertFacts(received, { rupees })
    : insertFacts(receivedPaise, { rupees, paise: String(rest) });
}

/** Offers English, Hindi and the customers' languages. The script shows the choice, keeps it and speaks a sample. */
async function voiceChoice({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const voice = voiceOf(visit);
  const shops = await selectLanguages(sql, visit.merchantId);
  const offered = customerTags.filter(tag => [...languageTags, voice, ...shops].includes(tag));
  return html`<select data-voice aria-label="${visit.texts.counter.voice}" hidden>${offered.map(
    tag =>
      html`<option value="${tag}" lang="${tag}" data-say="${customerTexts(tag).spoken.soundIsOn}"${tag === voice && html` selected`}>${customerTexts(tag).page.language}</option>`,
  )}</select>`;
}
