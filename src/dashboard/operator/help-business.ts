import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { turnSession, turnSessionBack } from '../../business/accounts/queries/sessions.ts';
import { recordAuditInBoth } from '../../business/accounts/record-audit.ts';
import { postButton, postForm } from '../frame/controls.ts';
import { card, moment } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { addressOf, findBusiness, home } from './change-business.ts';
import type { BusinessRow } from './queries/operator.ts';
import { selectNotes } from './queries/support.ts';

export async function notesCard(
  world: World,
  { texts, form }: Visit,
  row: BusinessRow,
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
  return card(
    html`<p class="quiet">${words.notesText}</p>
${notes.length === 0 ? html`<p>${words.noNotes}</p>` : html`<ul class="notes">${list}</ul>`}
${postForm(`${addressOf(row)}/notes`, words.addNote, fields)}`,
    { title: words.notes, id: 'notes' },
  );
}

/** The operator's way into the owner's screens, while the owner allows it. */
export function supportViewCard({ texts, now }: Visit, row: BusinessRow): Html {
  const words = texts.operatorPlatform;
  const open = row.look_until !== null && row.look_until > now;
  return card(
    open
      ? html`<p>${words.lookOpen} ${moment(row.look_until!)}</p><div class="actions">${postButton(`${addressOf(row)}/look`, words.look, { plain: false })}</div>`
      : html`<p class="quiet">${words.lookAsk}</p>`,
    { title: words.lookTitle },
  );
}

export async function beginSupportView(world: World, visit: Visit): Promise<Answer> {
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const isTurned = await world.sql.begin(async tx => {
    if (!(await turnSession(tx, visit.session, row.merchant_id, visit.now))) return false;
    await recordAuditInBoth(tx, actorOf(visit), row.merchant_id, { action: 'look.begin' });
    return true;
  });
  return isTurned ? redirect('/dashboard') : redirect(addressOf(row), visit.texts.operatorPlatform.lookOver);
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
