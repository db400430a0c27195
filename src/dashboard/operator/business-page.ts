import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { unapprovedPlan } from '../../business/merchants/plans.ts';
import { sayReason } from '../../texts/say.ts';
import { dangerLink, postButton, postForm, selectField } from '../frame/controls.ts';
import { card, facts, moment, rupees, screen } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { businessState, mailboxBadge } from './business-rows.ts';
import { addressOf, changeBusiness, findBusiness, home } from './change-business.ts';
import { notesCard, supportViewCard } from './help-business.ts';
import { periodsCard } from './periods-card.ts';
import { selectPlanNames } from './queries/operator.ts';
import { insertNote } from './queries/support.ts';

export async function showBusiness(world: World, visit: Visit, noteError?: string): Promise<Answer> {
  const { texts, now } = visit;
  const words = texts.operator;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const plans = await selectPlanNames(world.sql);
  const limit = row.monthly_limit_paise;
  const back = { href: home, text: texts.shell.navigation.operator };
  return screen(row.name, { back, ...(noteError !== undefined && { status: 400 }) })`
${card(
  html`${facts([
    [
      texts.labels.state,
      html`${businessState(texts, row)}${row.disabled_at !== null && row.disabled_reason !== '' && html`<br>${texts.platform.reason} <bdi>${row.disabled_reason}</bdi>`}`,
    ],
    [words.id, String(row.merchant_id)],
    [words.owner, row.owner ?? ''],
    [texts.labels.since, moment(row.created_at)],
    [
      texts.operatorPlatform.terms,
      row.terms_accepted_at && html`<bdi>${row.terms_version}</bdi>, ${moment(row.terms_accepted_at)}`,
    ],
    [texts.labels.thisMonth, rupees(row.collected_paise)],
    [texts.labels.monthlyLimit, limit === null ? texts.labels.noLimit : rupees(limit)],
    [
      words.mailbox,
      html`${mailboxBadge(texts, row, now)} ${row.mailbox} ${row.last_error !== null && sayReason(texts.tag, row.last_error)}`,
    ],
    [texts.labels.lastLooked, row.last_good_poll ? moment(row.last_good_poll) : texts.labels.never],
    [
      texts.shell.navigation.webhooks,
      words.webhooksText({ failing: row.failing_destinations, failed: row.failed_events }),
    ],
  ])}
<div class="actions">${row.plan === unapprovedPlan && postButton(`${addressOf(row)}/approve`, texts.operatorPlatform.approve, { plain: false })}${row.moved_at && words.movedBack} ${row.disabled_at ? postButton(`${addressOf(row)}/enable`, words.enable) : dangerLink(`${addressOf(row)}/disable`, words.disable)}</div>`,
)}
${card(
  postForm(
    `${addressOf(row)}/plan`,
    texts.labels.changePlan,
    selectField('plan', texts.labels.plan, {
      value: row.plan,
      choices: plans.map(plan => ({ value: plan, text: plan })),
    }),
  ),
  { title: texts.labels.plan },
)}
${await periodsCard(world, visit, row.merchant_id)}
${supportViewCard(visit, row)}
${await notesCard(world, visit, row, noteError)}`;
}

const longestNote = 2000;

export async function addNote(world: World, visit: Visit): Promise<Answer> {
  const { form, now, user, texts } = visit;
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const note = form.text('note');
  if (note === '' || [...note].length > longestNote)
    return await showBusiness(world, visit, texts.operatorPlatform.noteWrong);
  await world.sql.begin(async tx => {
    await insertNote(tx, { merchant_id: row.merchant_id, written_at: now, author: user.email, note });
    // Recorded only in the operators' log, and without the text, because the note is deleted with the business.
    await recordChange(tx, visit, { action: 'business.note', subject: String(row.merchant_id) });
  });
  return redirect(`${addressOf(row)}#notes`, texts.operatorPlatform.noteAdded);
}

export async function changePlan(world: World, visit: Visit): Promise<Answer> {
  const { form, texts } = visit;
  const plan = form.text('plan');
  return await changeBusiness(
    world,
    visit,
    { action: 'business.plan', plan },
    {
      flash: row => texts.operator.planFlash({ name: row.name, plan }),
      refusal: {
        no_such_plan: () => notFound(),
        limits_seller: row => redirect(addressOf(row), texts.operatorSales.sellerLimited),
      },
    },
  );
}

/** Ends the small first limit (SIGNUPS=approve). */
export async function approve(world: World, visit: Visit): Promise<Answer> {
  return await changeBusiness(
    world,
    visit,
    { action: 'business.approve' },
    { flash: row => visit.texts.operatorPlatform.approvedFlash(row) },
  );
}
