import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type Deed, recordDeed } from '../../business/accounts/record-deed.ts';
import { wouldLimitSeller } from '../../business/merchants/plans.ts';
import { planExists, setDisabled, setPlan } from '../../business/merchants/queries.ts';
import { sayReason } from '../../texts/say.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, dangerLink, postButton, postForm, selectField } from '../frame/controls.ts';
import { card, facts, moment, rupees, screen } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { businessState, mailboxBadge, timeToConfirm } from './business-table.ts';
import {
  type BusinessRow,
  selectAlertTiming,
  selectBusinesses,
  selectPlanNames,
} from './queries/operator.ts';
import { termsCard } from './terms-card.ts';

const home = '/dashboard/operator';
const timedDays = 30;
const addressOf = (row: BusinessRow) => `${home}/businesses/${row.merchant_id}`;

export async function showBusiness(world: World, visit: Visit): Promise<Answer> {
  const { texts, now } = visit;
  const words = texts.operator;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const [plans, timing] = await Promise.all([
    selectPlanNames(world.sql),
    selectAlertTiming(world.sql, now, { merchantId: row.merchant_id, days: timedDays }),
  ]);
  const limit = row.monthly_limit_paise;
  return screen(row.name, { back: { href: home, text: texts.shell.navigation.operator } })`
${card(
  html`${facts([
    [texts.labels.state, businessState(texts, row)],
    [words.id, String(row.merchant_id)],
    [words.owner, row.owner ?? ''],
    [texts.labels.since, moment(row.created_at)],
    [texts.labels.thisMonth, rupees(row.collected_paise)],
    [texts.labels.monthlyLimit, limit === null ? texts.labels.noLimit : rupees(limit)],
    [
      words.mailbox,
      html`${mailboxBadge(texts, row, now)} ${row.mailbox} ${row.last_error !== null && sayReason(texts.tag, row.last_error)}`,
    ],
    [texts.labels.lastLooked, row.last_good_poll ? moment(row.last_good_poll) : texts.labels.never],
    [texts.shell.navigation.webhooks, words.webhooksText(row.failing_destinations, row.failed_events)],
    [`${words.timing}, ${words.timingDays(timedDays)}`, timeToConfirm(texts, timing)],
  ])}
<div class="actions">${row.disabled_at ? postButton(`${addressOf(row)}/enable`, words.enable) : dangerLink(`${addressOf(row)}/disable`, words.disable)}</div>`,
)}
${card(
  postForm({
    action: `${addressOf(row)}/plan`,
    submit: texts.labels.changePlan,
    fields: selectField({
      name: 'plan',
      label: texts.labels.plan,
      value: row.plan,
      choices: plans.map(plan => ({ value: plan, text: plan })),
    }),
  }),
  { title: texts.labels.plan },
)}
${await termsCard(world, visit, row.merchant_id)}`;
}

export async function askDisabling(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operator;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  return confirmPage(visit, {
    title: words.disableTitle(row.name),
    consequences: words.disableConsequences,
    submit: words.disable,
    back: addressOf(row),
  });
}

export async function disable(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operator;
  return await change(world, visit, {
    make: (tx, id) => setDisabled(tx, id, visit.now),
    deed: { action: 'business.disable', notice: because('disabled_by_operator') },
    flash: row => words.disabledFlash(row.name),
  });
}

export async function enable(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operator;
  return await change(world, visit, {
    make: (tx, id) => setDisabled(tx, id, null),
    deed: { action: 'business.enable', notice: because('enabled_by_operator') },
    flash: row => words.enabledFlash(row.name),
  });
}

export async function changePlan(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operator;
  const plan = visit.form.text('plan');
  if (!(await planExists(world.sql, plan))) return notFound();
  if (await wouldLimitSeller(world.sql, Number(visit.params['merchant_id']) || 0, plan))
    return redirect(visit.url.replace(/\/plan$/, ''), visit.texts.operatorSales.sellerLimited);
  return await change(world, visit, {
    make: (tx, id) => setPlan(tx, id, plan),
    deed: { action: 'business.plan', details: plan, notice: because('plan_changed', { plan }) },
    flash: row => words.planFlash(row.name, plan),
  });
}

type BusinessChange = {
  make: (tx: Transaction, merchantId: number) => Promise<boolean>;
  deed: Omit<Deed, 'subject'>;
  flash: (row: BusinessRow) => string;
};

/** Written into the installation's log and into the business's own: its owner must see what was done to it. */
async function change(world: World, visit: Visit, { make, deed, flash }: BusinessChange): Promise<Answer> {
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const { user, address, now } = visit;
  const merchantId = row.merchant_id;
  await world.sql.begin(async tx => {
    await make(tx, merchantId);
    const subject = String(merchantId);
    await recordChange(tx, visit, { ...deed, subject });
    await recordDeed(tx, { merchantId, actor: `operator ${user.email}`, address, now }, { ...deed, subject });
  });
  return redirect(addressOf(row), flash(row));
}

async function findBusiness(world: World, { params, now }: Visit): Promise<BusinessRow | null> {
  const search = params['merchant_id'] ?? '';
  if (!/^\d{1,15}$/.test(search)) return null;
  const rows = await selectBusinesses(world.sql, { search, after: null, limit: 100, now });
  return rows.find(row => String(row.merchant_id) === search) ?? null;
}
