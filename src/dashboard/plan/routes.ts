import { ApiError } from '../../base/http/api-error.ts';
import { type Html, html } from '../../base/http/html.ts';
import { storable } from '../../base/http/text.ts';
import type { World } from '../../base/world.ts';
import { isForSale, selectPlans, titleOf, unapprovedPlan } from '../../business/merchants/plans.ts';
import { paymentUrl } from '../../orders/present-order.ts';
import {
  type Party,
  selectOpenSales,
  selectParty,
  selectPeriods,
  selectSeller,
  writeParty,
} from '../../orders/sales/queries.ts';
import { OfferChanged, sellPlan } from '../../orders/sales/sell-plan.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayTime } from '../../texts/say-time.ts';
import { field, linkButton, postForm } from '../frame/controls.ts';
import { card, facts, note, rupees } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { daysOf, openSales, periodNotes, planCards, purchases } from './plan-cards.ts';
import { type PlanUsage, selectPlanUsage } from './queries.ts';

export const planRoutes = [
  get('/dashboard/plan', 'business.read', showPlan),
  post('/dashboard/plan/buy', 'business.change', buyPlan),
  post('/dashboard/plan/receipts', 'business.change', async (world, visit) => {
    if (!(await saveParty(world, visit))) return await showPlan(world, visit, 400);
    return redirect('/dashboard/plan', visit.texts.plan.partySaved);
  }),
  get('/dashboard/plan/receipts/:order_id', 'business.read', showReceipt),
];

/** Sells only the plan that was shown. If it has changed since, the page is shown again. */
async function buyPlan(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts, now, user } = visit;
  const plans = await selectPlans(world.sql);
  const plan = plans.filter(isForSale).find(one => one.plan === form.text('plan'));
  const isAsShown =
    plan && form.text('price') === String(plan.price_paise) && form.text('days') === String(plan.period_days);
  if (!isAsShown) return redirect('/dashboard/plan', texts.plan.changed);
  try {
    const token = await world.sql.begin(async tx => {
      const shown = Number(form.text('carried'));
      const sold = await sellPlan(tx, world, { buyerId: merchantId, by: user.email, plan, shown, now });
      if (sold)
        await recordChange(tx, visit, {
          action: 'plan.order',
          subject: plan.plan,
          details: titleOf(plan).en,
        });
      return sold;
    });
    return token === null
      ? redirect('/dashboard/plan', texts.plan.nobodySells)
      : redirect(paymentUrl('', token));
  } catch (error) {
    if (error instanceof OfferChanged) return redirect('/dashboard/plan', texts.plan.changed);
    if (!(error instanceof ApiError)) throw error;
    world.log.warn({ err: error }, 'the seller of plans could not take an order');
    return redirect('/dashboard/plan', texts.plan.cannotBuy);
  }
}

async function showPlan(world: World, visit: Visit, status = 200): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const usage = await selectPlanUsage(world.sql, merchantId, now);
  if (!usage) return notFound();
  const [plans, terms, sales, seller, party] = await Promise.all([
    selectPlans(world.sql),
    selectPeriods(world.sql, merchantId, { all: true }),
    selectOpenSales(world.sql, merchantId, now),
    selectSeller(world.sql),
    selectParty(world.sql, merchantId),
  ]);
  const isSold =
    seller !== null &&
    plans.some(isForSale) &&
    seller.merchant_id !== merchantId &&
    visit.business.disabledAt === null &&
    usage.plan !== unapprovedPlan;
  const running = terms.filter(term => !term.is_over);
  return shopScreen(visit, 'plan', { status })`
${usage.plan === unapprovedPlan && note(texts.platform.awaitsWord)}
${periodNotes(visit, running)}
${openSales(visit, sales)}
${usageCard(texts, usage, isSold)}
${isSold && planCards(visit, plans, running, usage.plan)}
${purchases(visit, terms)}
${(isSold || terms.length > 0 || seller?.merchant_id === merchantId) && party && partyCard(visit, party)}`;
}

function usageCard({ labels, plan: words, shop, tag }: Texts, usage: PlanUsage, isSold: boolean): Html {
  const { monthly_limit_paise: limit, account_limit: accounts, history_days: days } = usage;
  const percent = limit === null ? 0 : Math.min(100, Math.floor((usage.collected_paise / limit) * 100));
  return card(
    html`${facts([
      [words.plan, titleOf(usage)[tag]],
      [
        labels.thisMonth,
        html`<strong>${rupees(usage.collected_paise)}</strong>${limit !== null && html`<br><meter min="0" max="100" high="80" value="${percent}" aria-label="${labels.thisMonth}">${percent}%</meter> ${words.used({ percent })}`}`,
      ],
      [
        labels.monthlyLimit,
        limit === null
          ? labels.noLimit
          : html`${rupees(limit)}<br><span class="quiet">${words.monthText}</span>`,
      ],
      [
        shop.bank.upiIds,
        accounts === null
          ? `${usage.accounts}, ${labels.noLimit}`
          : html`${words.accountsOf({ used: usage.accounts, limit: accounts })}<br><span class="quiet">${words.accountsText}</span>`,
      ],
      [
        words.history,
        days === null
          ? labels.noLimit
          : html`${words.historyDays({ days })}<br><span class="quiet">${words.historyText}</span>`,
      ],
    ])}
${usage.upgrade_url !== null && !isSold && html`<div class="actions">${linkButton(usage.upgrade_url, labels.changePlan)}</div>`}`,
  );
}

/** A printable receipt: what was paid for which days. The tax in it is for the accountant's own invoice. */
async function showReceipt(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params } = visit;
  const terms = await selectPeriods(world.sql, merchantId, { all: true });
  const term = terms.find(one => one.order_id === params['order_id']);
  if (!term) return notFound();
  const words = texts.plan;
  const { receipt } = term;
  const party = ({ name, address, gstin }: Party) =>
    html`<bdi>${name}</bdi>${address !== null && html`<br><bdi>${address}</bdi>`}${gstin !== null && html`<br>GSTIN ${gstin}`}`;
  const number = `R-${receipt.number}`;
  return shopScreen(visit, 'plan', { title: words.receipt({ number }) })`
<section class="card receipt"><div class="card-head"><h2>${words.receipt({ number })}</h2></div>
${facts([
  [words.receiptFrom, party(receipt.seller)],
  [words.receiptTo, party(receipt.buyer)],
  [texts.labels.plan, term.title[texts.tag]],
  [texts.labels.days, daysOf(texts, term)],
  [words.price, rupees(term.price_paise)],
  [texts.labels.received, html`<strong>${rupees(receipt.received_paise)}</strong>`],
  [texts.labels.when, sayTime(texts.tag, new Date(receipt.paid_at), 'full')],
  [texts.labels.bankReference, receipt.bank_reference],
  [texts.labels.order, term.order_id],
])}
<p class="quiet">${words.receiptText}</p>
<div class="actions"><button type="button" class="button" data-print hidden>${texts.counter.print}</button></div></section>`;
}

const longestAddress = 300;

function partyCard({ texts, form, may }: Visit, party: Party): Html {
  const words = texts.plan;
  const options = { title: words.partyTitle, id: 'receipts' };
  if (!may('business.change')) {
    const rows = [
      [texts.labels.address, party.address ?? texts.labels.none],
      ['GSTIN', party.gstin ?? texts.labels.none],
    ] as const;
    return card(facts(rows), options);
  }
  const gstin = form.text('gstin');
  const fields = [
    field('address', texts.labels.address, {
      value: form.has('address') ? form.text('address') : (party.address ?? ''),
      maxlength: longestAddress,
      autocomplete: 'street-address',
    }),
    field('gstin', 'GSTIN', {
      hint: words.gstinHint,
      value: form.has('gstin') ? gstin : (party.gstin ?? ''),
      maxlength: 20,
      autocomplete: 'off',
      error: gstin !== '' && readGstin(gstin) === null ? words.gstinWrong : undefined,
    }),
  ];
  return card(
    html`<p class="quiet">${words.partyText}</p>${postForm('/dashboard/plan/receipts', texts.shell.save, fields)}`,
    options,
  );
}

/** False if the GSTIN is invalid; then nothing is saved. */
async function saveParty(world: Pick<World, 'sql'>, visit: Visit): Promise<boolean> {
  const typed = visit.form.text('gstin').trim();
  const gstin = readGstin(typed);
  if (typed !== '' && gstin === null) return false;
  const address = storable(visit.form.text('address').trim(), longestAddress) || null;
  await makeChange(world, visit, async tx => {
    await writeParty(tx, visit.merchantId, { address, gstin });
    return { action: 'business.receipts', subject: String(visit.merchantId) };
  });
  return true;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A GSTIN has 15 characters, and the last one is a checksum that detects one wrong character. Null if it is none. */
function readGstin(text: string): string | null {
  const gstin = text.replace(/\s/g, '').toUpperCase();
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/.test(gstin)) return null;
  const sum = [...gstin.slice(0, -1)].reduce((sum, character, at) => {
    const product = digits.indexOf(character) * (1 + (at % 2));
    return sum + Math.floor(product / digits.length) + (product % digits.length);
  }, 0);
  return gstin.endsWith(digits[(digits.length - (sum % digits.length)) % digits.length]!) ? gstin : null;
}
