import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { turnSession, turnSessionBack } from '../../business/accounts/queries/sessions.ts';
import { recordAuditInBoth } from '../../business/accounts/record-audit.ts';
import { unapprovedPlan } from '../../business/merchants/plans.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { dangerLink, postButton, postForm, selectField } from '../frame/controls.ts';
import { badge, facts, moment, rupees, screen } from '../frame/parts.ts';
import { actorOf, recordChange } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { letterFace, money, rowList } from '../frame/rows.ts';
import { addressOf, changeMerchant, home, section } from './change-merchant.ts';
import { type MerchantOverview, selectPlanNames } from './queries/operator.ts';
import { insertNote, selectNotes } from './queries/support.ts';
import { periodsCard } from './sales.ts';

export async function showMerchant(
  world: World,
  visit: Visit,
  row: MerchantOverview,
  noteError?: string,
): Promise<Answer> {
  const { texts, now } = visit;
  const words = texts.operator;
  const plans = await selectPlanNames(world.sql);
  const limit = row.monthly_limit_paise;
  const back = { href: home, text: texts.operator.navigation.operator };
  return screen(row.name, { back, ...(noteError !== undefined && { status: 400 }) })`
<div class="stack groups one-column"><section>
  ${facts([
    [
      texts.labels.state,
      html`${merchantState(texts, row)}${row.disabled_at !== null && row.disabled_reason !== '' && html`<br>${texts.platform.reason} <bdi>${row.disabled_reason}</bdi>`}`,
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
      row.failing_destinations + row.failed_events > 0 &&
        badge(
          row.failed_events > 0 ? words.notDelivered({ count: row.failed_events }) : words.updatesFail,
          'warn',
        ),
    ],
  ])}
<div class="actions">${row.plan === unapprovedPlan && postButton(`${addressOf(row)}/approve`, texts.operatorPlatform.approve, { plain: false })}${row.moved_at && words.movedBack} ${row.disabled_at ? postButton(`${addressOf(row)}/enable`, words.enable) : dangerLink(`${addressOf(row)}/disable`, words.disable)}</div></section>
<section>${postForm(
    `${addressOf(row)}/plan`,
    texts.labels.changePlan,
    selectField('plan', texts.labels.plan, {
      value: row.plan,
      choices: plans.map(plan => ({ value: plan, text: plan })),
    }),
  )}</section>
${await periodsCard(world, visit, row.merchant_id)}
${supportViewCard(visit, row)}
${await notesCard(world, visit, row, noteError)}</div>`;
}

export function merchantRows(texts: Texts, merchants: readonly MerchantOverview[], now: Date): Html {
  const rows = merchants.map(row => ({
    href: addressOf(row),
    face: letterFace(row.name),
    who: html`<bdi>${row.name}</bdi>`,
    what: row.plan,
    when: moment(row.created_at, 'date'),
    extra: row.last_good_poll && html`${texts.labels.lastLooked} ${moment(row.last_good_poll)}`,
    sum: money(row.collected_paise),
    state: stateOf(texts, row, now),
  }));
  return rowList(rows, { wide: true, label: texts.operator.navigation.operator });
}

function stateOf(texts: Texts, row: MerchantOverview, now: Date): Html {
  if (row.deletion_requested_at || row.moved_at || row.disabled_at) return merchantState(texts, row);
  const isFailing = row.failing_destinations + row.failed_events > 0;
  if (isFailing && isRead(row, now)) return badge(texts.operator.updatesFail, 'warn');
  return mailboxBadge(texts, row.mailbox === null ? row : { ...row, forward_to: null }, now);
}

function merchantState(texts: Texts, row: MerchantOverview): Html {
  const words = texts.operator;
  if (row.deletion_requested_at) return badge(words.leaving, 'bad');
  if (row.moved_at) return badge(words.moved, 'bad');
  if (row.disabled_at)
    return badge(row.no_new_orders ? texts.operatorPlatform.noNewOrders : words.disabled, 'bad');
  return badge(words.open, 'good');
}

function mailboxBadge(texts: Texts, row: MerchantOverview, now: Date): Html {
  const words = texts.operator;
  const mailbox =
    row.mailbox !== null &&
    (isRead(row, now) ? badge(texts.labels.beingRead, 'good') : badge(texts.labels.outOfReach, 'bad'));
  const forwarding = row.forward_to !== null && forwardingBadge(texts, row, now);
  if (!mailbox && !forwarding) return badge(words.noMailbox, 'warn');
  return html`${mailbox} ${forwarding}`;
}

function forwardingBadge(texts: Texts, row: MerchantOverview, now: Date): Html {
  const words = texts.operator;
  if (!row.forwarding_works) return badge(words.forwardedNew, 'warn');
  const isSilent = row.silent_since !== null && row.silent_since < later(now, -silentAfter);
  return isSilent ? badge(words.forwardedSilent, 'bad') : badge(words.forwarded, 'good');
}

function isRead({ last_good_poll }: MerchantOverview, now: Date): boolean {
  return last_good_poll !== null && last_good_poll >= later(now, -blindAfter);
}

async function notesCard(
  world: World,
  { texts, form }: Visit,
  row: MerchantOverview,
  error?: string,
): Promise<Html> {
  const words = texts.operatorPlatform;
  const notes = await selectNotes(world.sql, row.merchant_id);
  const list = notes.map(
    ({ note, author, written_at }) =>
      html`<li><p class="lines">${note === '' ? html`<i>${words.noteErased}</i>` : note}</p><p class="quiet"><bdi>${author}</bdi>, ${moment(written_at)}</p></li>`,
  );
  const fields = html`<div class="field"><label for="note">${words.newNote}</label>
${error !== undefined && html`<p class="error" id="note-error">${error}</p>`}
<textarea id="note" name="note" rows="3" required${error !== undefined && html` aria-describedby="note-error" aria-invalid="true" autofocus`}>${form.text('note')}</textarea></div>`;
  return section(words.notes, 'notes')`<p class="quiet">${words.notesText}</p>
${notes.length > 0 && html`<ul class="notes">${list}</ul>`}
${postForm(`${addressOf(row)}/notes`, words.addNote, fields)}`;
}

const longestNote = 2000;

export async function addNote(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const { form, now, user, texts } = visit;
  const note = form.text('note');
  if (note === '' || [...note].length > longestNote)
    return await showMerchant(world, visit, row, texts.operatorPlatform.noteWrong);
  await world.sql.begin(async tx => {
    await insertNote(tx, { merchant_id: row.merchant_id, written_at: now, author: user.email, note });
    // Recorded only in the operators' log, and without the text, because the note is deleted with the business.
    await recordChange(tx, visit, { action: 'business.note', subject: String(row.merchant_id) });
  });
  return redirect(`${addressOf(row)}#notes`, texts.operatorPlatform.noteAdded);
}

export async function changePlan(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const { form, texts } = visit;
  const plan = form.text('plan');
  return await changeMerchant(world, visit, row, {
    action: { action: 'business.plan', plan },
    flash: texts.operator.planFlash({ name: row.name, plan }),
    refusals: {
      no_such_plan: () => notFound(),
      limits_seller: () => redirect(addressOf(row), texts.operatorSales.sellerLimited),
    },
  });
}

/** Ends the small first limit (SIGNUPS=approve). */
export async function approve(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const flash = visit.texts.operatorPlatform.approvedFlash(row);
  return await changeMerchant(world, visit, row, { action: { action: 'business.approve' }, flash });
}

/** The operator's way into the owner's screens, while the owner allows it. */
function supportViewCard({ texts, now }: Visit, row: MerchantOverview): Html {
  const words = texts.operatorPlatform;
  const open = row.look_until !== null && row.look_until > now;
  return section(words.supportViewTitle)`${
    open
      ? html`<p>${words.supportViewOpen} ${moment(row.look_until!)}</p><div class="actions">${postButton(`${addressOf(row)}/look`, words.openSupportView, { plain: false })}</div>`
      : html`<p class="quiet">${words.supportViewAsk}</p>`
  }`;
}

export async function beginSupportView(world: World, visit: Visit, row: MerchantOverview): Promise<Answer> {
  const isTurned = await world.sql.begin(async tx => {
    if (!(await turnSession(tx, visit.session, row.merchant_id, visit.now))) return false;
    await recordAuditInBoth(tx, actorOf(visit), row.merchant_id, { action: 'look.begin' });
    return true;
  });
  return isTurned ? redirect('/dashboard') : redirect(addressOf(row), visit.texts.operatorPlatform.viewOver);
}

/** The only change that an operator in a support view may make. */
export async function endSupportView(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, session } = visit;
  await world.sql.begin(async tx => {
    await turnSessionBack(tx, session);
    await recordAuditInBoth(tx, actorOf(visit), merchantId, { action: 'look.end' });
  });
  return redirect(`${home}/businesses/${merchantId}`);
}
