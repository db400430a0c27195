import { stopReading } from '../../alerts/forwarding/open-forwarding.ts';
import { hour } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { cancelDeletion, deletionDay, requestDeletion } from '../../business/accounts/delete-merchant.ts';
import { packArchive } from '../../operator/moving/pack-archive.ts';
import { beginMove, ErasedRecently, pauseMerchant, undoMove } from '../../operator/moving/pause-merchant.ts';
import { wasExported } from '../../operator/moving/queries.ts';
import { AlreadyWriting } from '../../operator/moving/write-merchant.ts';
import { sayTime } from '../../texts/say-time.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, field, linkButton, postButton } from '../frame/controls.ts';
import { indianDay } from '../frame/indian-days.ts';
import { moment, note, screen } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { pageRow, rowList } from '../frame/rows.ts';

const here = '/dashboard/settings/leave';
const deletion = '/dashboard/settings/delete';
export const privacyPath = '/dashboard/shop/privacy';
/** The longest duration of one download. */
const longest = 1 * hour;
const owner = reauth('business.delete');

/** Deleting the business, or moving away with everything: it is closed, and its archive can be downloaded. */
export const leaveRoutes = [
  get(here, owner, async (_world, visit) =>
    visit.merchant.leftAt ? leftPage(visit) : askName(visit, 'leave'),
  ),
  post(here, owner, leave),
  get(`${here}/file`, owner, download),
  post(`${here}/undo`, owner, async (world, visit) => {
    const { merchantId, merchant, texts, now } = visit;
    const isBack = await makeChange(world, visit, async tx =>
      (await wasExported(tx, merchantId)) && (await undoMove(tx, merchantId, now))
        ? { action: 'business.export_undo', subject: merchant.name, notice: because('business_back') }
        : null,
    );
    return redirect(privacyPath, isBack ? texts.business.leaveBack : undefined);
  }),
  get(deletion, owner, async (_world, visit) => askName(visit, 'delete')),
  post(deletion, owner, async (world, visit) => {
    const { merchantId, form, texts, merchant, now } = visit;
    if (form.text('name') !== merchant.name.trim())
      return askName(visit, 'delete', texts.business.deleteNameWrong);
    await makeChange(world, visit, async tx => {
      if (!(await requestDeletion(tx, merchantId, now, stopReading))) return null;
      return { action: 'business.delete', subject: merchant.name, notice: because('deletion_asked') };
    });
    return redirect(privacyPath, texts.business.deleteAsked);
  }),
  post(`${deletion}/cancel`, 'business.delete', async (world, visit) => {
    const { merchantId, texts, merchant, now } = visit;
    const cancelled = await makeChange(world, visit, async tx => {
      if (!(await cancelDeletion(tx, merchantId, now))) return null;
      const notice = because('deletion_cancelled');
      return { action: 'business.delete_cancel', subject: merchant.name, notice };
    });
    const { deleteCancelled, deleteTooLate } = texts.business;
    return redirect(privacyPath, cancelled ? deleteCancelled : deleteTooLate);
  }),
];

async function leave(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, merchant, form, texts, now } = visit;
  if (form.text('name') !== merchant.name.trim())
    return askName(visit, 'leave', texts.business.deleteNameWrong);
  try {
    await world.sql.begin(async tx => {
      const notice = because('business_left');
      await recordChange(tx, visit, { action: 'business.export', subject: merchant.name, notice });
      await beginMove(tx, merchantId, 'leaving', now);
    });
  } catch (error) {
    return redirect(privacyPath, whyNot(visit, error));
  }
  return redirect(here);
}

function whyNot({ texts }: Visit, error: unknown): string {
  if (!(error instanceof StartError)) throw error;
  const words = texts.business;
  if (error instanceof AlreadyWriting) return words.leaveWriting;
  if (!(error instanceof ErasedRecently)) return words.leaveLater;
  return error.until ? words.leaveErased({ day: sayTime(texts.tag, error.until) }) : words.leaveErasing;
}

async function download(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, merchant, now } = visit;
  if (!merchant.leftAt) return notFound();
  try {
    const since = await pauseMerchant(world, merchantId, 'leaving');
    await makeChange(world, visit, async () => ({ action: 'business.export_file', subject: merchant.name }));
    const content = await packArchive(
      world,
      { merchantId, name: merchant.name, kind: 'leaving', since },
      longest,
    );
    const name = `milaan-${merchantId}-${indianDay(now)}.tar.gz`;
    return { kind: 'download', name, type: 'application/gzip', content };
  } catch (error) {
    return redirect(here, whyNot(visit, error));
  }
}

/** The two ways out; instead of them a deletion that was asked for, with the way back. */
export function waysOut({ texts, merchant }: Visit): Html {
  const words = texts.business;
  const { deletionRequestedAt: asked, leftAt } = merchant;
  if (asked)
    return html`<section id="delete"><p>${words.deleteOn} ${moment(deletionDay(asked))}</p>
<div class="actions">${postButton(`${deletion}/cancel`, words.deleteCancel, { plain: false })}</div></section>`;
  return html`<div class="wrapped">${rowList([
    pageRow(here, 'download', leftAt ? words.leaveSee : words.leaveTitle, words.leaveText),
    pageRow(deletion, 'cross', html`<span class="bad">${words.deleteTitle}</span>`, words.deleteText),
  ])}</div>`;
}

function askName(visit: Visit, what: 'leave' | 'delete', error?: string): Answer {
  const words = visit.texts.business;
  const label = words.deleteTypeName(visit.merchant);
  return confirmPage(visit, {
    title: words[`${what}ConfirmTitle`](visit.merchant),
    consequences: words[`${what}Consequences`],
    submit: words[`${what}Now`],
    back: privacyPath,
    fields: [field('name', label, { autocomplete: 'off', required: true, error })],
    status: error === undefined ? 200 : 400,
  });
}

function leftPage({ texts }: Visit): Answer {
  const words = texts.business;
  return screen(words.leaveTitle, {
    back: { href: privacyPath, text: texts.shop.pages.privacy },
  })`<div class="stack groups one-column">
<section><p>${words.leaveFile}</p>${note(words.leaveKeep)}
<div class="actions">${linkButton(`${here}/file`, words.leaveDownload)}</div></section>
<section><p class="small quiet">${words.leaveUndoText}</p><div class="actions">${postButton(`${here}/undo`, words.leaveUndo)}</div></section></div>`;
}
