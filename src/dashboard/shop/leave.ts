import { hour } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { beginMove, ErasedLately, holdStill, undoMove } from '../../operator/moving/hold-still.ts';
import { packArchive } from '../../operator/moving/pack-archive.ts';
import { wasExported } from '../../operator/moving/queries.ts';
import { AlreadyWriting } from '../../operator/moving/write-business.ts';
import { sayTime } from '../../texts/say-time.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, dangerLink, field, linkButton, plainLink, postButton } from '../frame/controls.ts';
import { card, note, screen } from '../frame/parts.ts';
import { makeChange, recordChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';

const here = '/dashboard/settings/leave';
export const privacyPath = '/dashboard/shop/privacy';
/** The longest duration of one download. */
const longest = 1 * hour;
const owner = fresh('business.delete');

/** Moving away with everything: the business is closed here, and its archive can be downloaded while it is closed. */
export const leaveRoutes = [
  get(here, owner, async (_world, visit) => (visit.business.leftAt ? leftPage(visit) : askPage(visit))),
  post(here, owner, leave),
  get(`${here}/file`, owner, download),
  post(`${here}/undo`, owner, async (world, visit) => {
    const { merchantId, business, texts, now } = visit;
    const isBack = await makeChange(world, visit, async tx =>
      (await wasExported(tx, merchantId)) && (await undoMove(tx, merchantId, now))
        ? { action: 'business.export_undo', subject: business.name, notice: because('business_back') }
        : null,
    );
    return redirect(privacyPath, isBack ? texts.business.leaveBack : undefined);
  }),
];

async function leave(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, business, form, texts, now } = visit;
  if (form.text('name') !== business.name.trim()) return askPage(visit, texts.business.deleteNameWrong, 400);
  try {
    await world.sql.begin(async tx => {
      const notice = because('business_left');
      await recordChange(tx, visit, { action: 'business.export', subject: business.name, notice });
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
  if (!(error instanceof ErasedLately)) return words.leaveLater;
  return error.until ? words.leaveErased({ day: sayTime(texts.tag, error.until) }) : words.leaveErasing;
}

async function download(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, business, now } = visit;
  if (!business.leftAt) return notFound();
  try {
    const since = await holdStill(world, merchantId, 'leaving');
    await makeChange(world, visit, async () => ({ action: 'business.export_file', subject: business.name }));
    const content = await packArchive(
      world,
      { merchantId, name: business.name, kind: 'leaving', since },
      longest,
    );
    const name = `milaan-${merchantId}-${now.toISOString().slice(0, 10)}.tar.gz`;
    return { kind: 'download', name, type: 'application/gzip', content };
  } catch (error) {
    return redirect(here, whyNot(visit, error));
  }
}

export function leaveSection({ texts, business }: Visit): Html {
  const words = texts.business;
  return html`<section id="leave"><h2>${words.leaveTitle}</h2><p class="small quiet">${words.leaveText}</p>
<div class="actions">${business.leftAt ? plainLink(here, words.leaveSee) : dangerLink(here, words.leaveAsk)}</div></section>`;
}

function askPage(visit: Visit, error?: string, status = 200): Answer {
  const words = visit.texts.business;
  const title = words.leaveConfirmTitle(visit.business);
  return askName(visit, title, words.leaveConsequences, words.leaveNow, error, status);
}

/** The consequences, and a field for the business's name. */
export function askName(
  visit: Visit,
  title: string,
  consequences: readonly string[],
  submit: string,
  error: string | undefined,
  status: number,
): Answer {
  const label = visit.texts.business.deleteTypeName(visit.business);
  const fields = [field('name', label, { autocomplete: 'off', required: true, error })];
  return confirmPage(visit, { title, consequences, submit, back: privacyPath, fields, status });
}

function leftPage({ texts }: Visit): Answer {
  const words = texts.business;
  return screen(words.leaveTitle, { back: { href: privacyPath, text: texts.shell.back } })`
${card(html`<p>${words.leaveFile}</p>${note(words.leaveKeep)}
<div class="actions">${linkButton(`${here}/file`, words.leaveDownload)}</div>`)}
${card(
  html`<p>${words.leaveUndoText}</p><div class="actions">${postButton(`${here}/undo`, words.leaveUndo)}</div>`,
  { title: words.leaveUndoTitle },
)}`;
}
