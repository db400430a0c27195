// The workshop's screens: an operator teaches the service to read a bank's mail by marking the values in one of them.

import { BanksFileError } from '../../../alerts/banks/read-json-with-lines.ts';
import { saveBankEntry } from '../../../alerts/judging/save-bank-entry.ts';
import { mostMailBytes } from '../../../alerts/mail/limits.ts';
import { draftEntry, type EntryDraft } from '../../../alerts/workshop/draft-entry.ts';
import type { InspectedMail } from '../../../alerts/workshop/inspect-mail.ts';
import { sayRefusal } from '../../../alerts/workshop/say-refusal.ts';
import { type Trial, tryOut } from '../../../alerts/workshop/try-out.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import { sayReason } from '../../../texts/say.ts';
import { note, screen } from '../../frame/parts.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../../frame/route.ts';
import { type GivenMail, inspectGiven, readGivenMail, recordLook } from './given-mail.ts';
import { markingForm, workshopHome } from './marking-form.ts';
import { preview, seenMark } from './preview.ts';
import { readAsked } from './read-asked.ts';
import { startPage } from './start-page.ts';

// Strangers' mails are shown here, and what is saved decides over money: whoever sits here has just signed in.
const operatorsOnly = fresh('operator');
/** A mail as a file, or packed in a field of the next step, where base64 makes it longer by a third. */
const mostUploadBytes = 2 * mostMailBytes;
const change = { ...operatorsOnly, upload: mostUploadBytes };

export const workshopRoutes = [
  get(workshopHome, operatorsOnly, startPage),
  post(`${workshopHome}/mail`, change, showMail),
  post(`${workshopHome}/draft`, change, showDraft),
  post(`${workshopHome}/save`, change, save),
  post(`${workshopHome}/export`, change, exportEntry),
];

type OnBench = { given: GivenMail; mail: InspectedMail };

/** The mail that the form brings, taken apart; or the first page again, which says why not. */
async function putOnBench(world: World, visit: Visit): Promise<OnBench | Answer> {
  const { texts, form, now } = visit;
  const words = texts.workshop;
  const given = await readGivenMail(world, form);
  if (given === null) return await startPage(world, visit, form.has('stored') ? words.gone : words.noFile);
  const mail = await inspectGiven(world, given, now);
  if (mail === 'gave_up') return await startPage(world, visit, words.tooHard);
  if (mail.outcome === 'refused') return await startPage(world, visit, sayReason(texts.tag, mail.reason));
  return { given, mail };
}

async function showMail(world: World, visit: Visit): Promise<Answer> {
  const found = await putOnBench(world, visit);
  if (!('mail' in found)) return found;
  const { hidden } = found.given;
  if (hidden.name === 'stored') await recordLook(world, visit, hidden.value);
  return benchPage(world, visit, found, null);
}

type Drafted = OnBench & { draft: EntryDraft };

async function draftOf(world: World, visit: Visit): Promise<Drafted | Answer> {
  const found = await putOnBench(world, visit);
  if (!('mail' in found)) return found;
  const { texts, form } = visit;
  const banks = world.banks.current();
  const draft = draftEntry(banks, found.mail, readAsked(form, banks, found.mail));
  if (draft.outcome === 'drafted') return { ...found, draft };
  const why = html`<strong>${texts.workshop.refusedTitle}.</strong> ${sayRefusal(texts, draft)}`;
  return benchPage(world, visit, found, note(why, 'bad'), 400);
}

async function showDraft(world: World, visit: Visit): Promise<Answer> {
  const drafted = await draftOf(world, visit);
  if (!('draft' in drafted)) return drafted;
  return previewPage(world, visit, drafted, await tryOut(world, drafted.draft));
}

/** Drafted and tried once more: meanwhile mails have come, and others may have saved something. */
async function save(world: World, visit: Visit): Promise<Answer> {
  const drafted = await draftOf(world, visit);
  if (!('draft' in drafted)) return drafted;
  const { texts, form, user, address } = visit;
  const { entry, banks } = drafted.draft;
  const trial = await tryOut(world, drafted.draft);
  if (!trial.maySave || form.text('seen') !== seenMark(entry))
    return previewPage(world, visit, drafted, trial);
  try {
    const by = { actor: user.email, address, note: 'workshop' };
    const { held } = await world.sql.begin(tx => saveBankEntry(tx, world, entry, by));
    const name = banks.find(({ id }) => id === entry.id)?.name ?? entry.id;
    return redirect(workshopHome, texts.workshop.savedFlash({ bank: name, count: held }));
  } catch (error) {
    if (!(error instanceof BanksFileError)) throw error;
    const refusal = { outcome: 'refused', code: 'not_valid', detail: error.message } as const;
    return benchPage(world, visit, drafted, note(sayRefusal(texts, refusal), 'bad'), 400);
  }
}

async function exportEntry(world: World, visit: Visit): Promise<Answer> {
  const drafted = await draftOf(world, visit);
  if (!('draft' in drafted)) return drafted;
  const { entry } = drafted.draft;
  const content = `${JSON.stringify(entry, null, 2)}\n`;
  return { kind: 'download', name: `${entry.id}.json`, type: 'application/json; charset=utf-8', content };
}

function previewPage(world: World, visit: Visit, drafted: Drafted, trial: Trial): Answer {
  return benchPage(world, visit, drafted, preview(visit.texts, drafted.draft, trial));
}

function benchPage(world: World, visit: Visit, found: OnBench, said: Html | null, status = 200): Answer {
  const { workshop: title } = visit.texts.shell.navigation;
  return screen(title, { back: { href: workshopHome, text: title }, status })`
${markingForm(world, visit, { ...found, preview: said })}`;
}
