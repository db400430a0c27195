import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { bankNames } from '../../../alerts/banks/bank-support.ts';
import { type Piece, parseTemplate } from '../../../alerts/banks/parse-template.ts';
import { BanksFileError } from '../../../alerts/banks/read-json-with-lines.ts';
import { saveBankEntry } from '../../../alerts/book/bank-entries.ts';
import { mostMailBytes } from '../../../alerts/mail/limits.ts';
import { parseAddresses } from '../../../alerts/mail/parse-fields.ts';
import { headerValue, splitHeaders } from '../../../alerts/mail/split-headers.ts';
import {
  draftEntry,
  type EntryDraft,
  sayRefusal,
  type WrittenEntry,
  wordingOf,
} from '../../../alerts/workshop/draft-entry.ts';
import { anySubject } from '../../../alerts/workshop/draft-template.ts';
import type { InspectedMail } from '../../../alerts/workshop/inspect-mail.ts';
import { type HeldMail, selectHeld } from '../../../alerts/workshop/queries.ts';
import { type Trial, tryOut } from '../../../alerts/workshop/try-out.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import type { Texts } from '../../../texts/languages.ts';
import { sayReason } from '../../../texts/say.ts';
import { button, hidden, postButton } from '../../frame/controls.ts';
import {
  badge,
  card,
  emptyState,
  facts,
  moment,
  note,
  rupees,
  screen,
  titledCard,
} from '../../frame/parts.ts';
import { type Answer, get, post, reauth, redirect, type Visit } from '../../frame/route.ts';
import { rowList } from '../../frame/rows.ts';
import { bankTabs, section } from '../change-merchant.ts';
import { type ChosenMail, inspectGiven, readChosenMail, recordMailView } from './chosen-mail.ts';
import { readAsked, selectionForm, workshopHome } from './selection-form.ts';

// The workshop's screens: an operator adds a bank's wording by marking the values in one of its mails.

// These screens show strangers' mails, and their entries decide about money, so a recent confirmation is required.
const operatorsOnly = reauth('operator');
/** A mail as a file, or as base64 in a field of the next step, which is a third longer. */
const mostUploadBytes = 2 * mostMailBytes;
const change = { ...operatorsOnly, upload: mostUploadBytes };

export const workshopRoutes = [
  get(workshopHome, operatorsOnly, startPage),
  post(`${workshopHome}/mail`, change, showMail),
  post(`${workshopHome}/draft`, change, showDraft),
  post(`${workshopHome}/save`, change, save),
];

type OnBench = { given: ChosenMail; mail: InspectedMail };

/** Parses the form's mail, or shows the first page again with the reason why not. */
async function putOnBench(world: World, visit: Visit): Promise<OnBench | Answer> {
  const { texts, form, now } = visit;
  const words = texts.workshop;
  const given = await readChosenMail(world, form);
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
  if (hidden.name === 'stored') await recordMailView(world, visit, hidden.value);
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

/** Drafts and tries the entry again, because mails may have come and others may have saved an entry since. */
async function save(world: World, visit: Visit): Promise<Answer> {
  const drafted = await draftOf(world, visit);
  if (!('draft' in drafted)) return drafted;
  const { texts, form, user, address } = visit;
  const { entry, banks } = drafted.draft;
  const trial = await tryOut(world, drafted.draft);
  if (!trial.maySave || form.text('seen') !== hashOfDraft(entry))
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

function previewPage(world: World, visit: Visit, drafted: Drafted, trial: Trial): Answer {
  return benchPage(world, visit, drafted, preview(visit.texts, drafted.draft, trial));
}

function benchPage(world: World, visit: Visit, found: OnBench, said: Html | null, status = 200): Answer {
  const { workshop: title } = visit.texts.operator.navigation;
  return screen(title, { back: { href: workshopHome, text: title }, status })`
${selectionForm(world, visit, { ...found, preview: said })}`;
}

/** A bank's further mails look like its newest ones. */
const shownOfEach = 5;
const shownMails = 30;

/** A file upload and the waiting mails. `problem` is the last mail's fault. */
async function startPage(
  world: World,
  { texts }: Pick<Visit, 'texts'>,
  problem: string | null = null,
): Promise<Answer> {
  const words = texts.workshop;
  const ids = world.banks.current().map(({ id }) => id);
  const held = await selectHeld(world.sql, ids, { ofEach: shownOfEach, most: shownMails });
  const rows = await Promise.all(held.map(async mail => ({ ...mail, sender: await senderOf(mail) })));
  const nameOf = bankNames(world);
  const list = rows.map(row => ({
    who: nameOf(row.bank),
    what: html`<bdi>${row.sender}</bdi> · <bdi>${row.business}</bdi>${row.reason && html`<br>${sayReason(texts.tag, row.reason)}`}`,
    when: moment(row.arrived_at),
    state: postButton(`${workshopHome}/mail`, texts.labels.open, {
      values: { stored: `${row.merchant_id}.${row.alert_id}` },
    }),
  }));
  return screen(texts.operator.navigation.operatorBanks, {
    quietOnPhone: true,
    ...(problem !== null && { status: 400 }),
  })`
${bankTabs(texts, 'workshop')}
<p class="quiet">${words.text}</p>
${problem !== null && note(problem, 'bad')}
${
  rows.length === 0
    ? emptyState(words.noneTitle, words.noneText, undefined, 'tick')
    : section(words.heldTitle)`<p class="quiet">${words.heldText}</p>${rowList(list)}`
}
${section(words.uploadTitle)`<p class="quiet">${words.uploadText}</p>
<form method="post" action="${workshopHome}/mail" enctype="multipart/form-data" class="stack">
<div class="field"><label for="file">${words.file}</label>
<input id="file" name="file" type="file" accept=".eml,message/rfc822" required></div>
<div class="actions">${button(words.show)}</div></form>`}`;
}

async function senderOf({ raw }: HeldMail): Promise<string> {
  const mail = splitHeaders(await promisify(inflate)(raw, { maxOutputLength: mostMailBytes }));
  if (mail.outcome === 'refused') return '';
  return parseAddresses(headerValue(mail, 'from') ?? '')?.[0] ?? '';
}

/** Identifies the shown draft: only that is saved, and not later input in the fields. */
function hashOfDraft(entry: WrittenEntry): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex');
}

function preview(texts: Texts, draft: EntryDraft, trial: Trial): Html {
  const { entry, facts: read, pays } = draft;
  const words = texts.workshop;
  const { unconfirmed, written } = wordingOf(draft);
  const { trust } = read;
  const [subject = anySubject] = written.subjects;
  const added = [...(entry.senders ?? []), ...(entry.signing_domains ?? [])];
  return html`${titledCard({ title: words.draftTitle, id: 'draft' })`${!pays && note(words.noPay)}
${facts([
  [words.marks.amount, html`<strong>${rupees(read.amount)}</strong>`],
  [words.marks.account, read.accountDigits === null ? words.anyAccount : `… ${read.accountDigits}`],
  [words.marks.reference, read.reference ?? words.anyAccount],
  [words.marks.payer_name, html`<bdi>${read.payer ?? words.anyAccount}</bdi>`],
])}
<h3>${words.sentence} ${unconfirmed && badge(words.unconfirmed, 'warn')}</h3>
<p class="drafted">${parseTemplate(written.body).map(piece => shownPiece(texts, piece))}${written.rows.map(([label, value]) => html`<br>${label}: ${parseTemplate(value).map(piece => shownPiece(texts, piece))}`)}</p>
<p class="hint">${words.sentenceText}</p>
${pays && trust !== 'confirmed' && note(trust === 'trial' ? words.onTrial : words.reviewOnly)}
${facts([
  [
    words.subject,
    subject === anySubject ? words.anySubject : parseTemplate(subject).map(piece => shownPiece(texts, piece)),
  ],
  [words.openings, entry.openings?.map(line => html`<bdi>${line}</bdi><br>`)],
  [words.added, added.length > 0 && added.map(one => html`<bdi>${one}</bdi><br>`)],
])}
${added.length > 0 && note(words.addedNote)}`}
${card(trialResult(texts, entry, trial), { title: words.trialTitle })}`;
}

function trialResult(
  { workshop: words }: Texts,
  entry: WrittenEntry,
  { fillings, stored, maySave }: Trial,
): Html {
  const changes = `${words.read({ count: stored.read })}; ${stored.spoiled === 0 ? words.unspoiled : words.spoiled(stored)}`;
  return html`${facts([
    [words.fillings(fillings), words.moved({ count: fillings.moved.length })],
    [words.stored, stored.tried === 0 ? words.noneKept : `${stored.tried}: ${changes}`],
  ])}
${note(maySave ? words.maySave : words.mayNotSave, maySave ? 'good' : 'bad')}
${hidden({ seen: hashOfDraft(entry) })}
${maySave && html`<p class="hint">${words.saveText}</p><div class="actions"><button class="button" formaction="${workshopHome}/save">${words.save}</button></div>`}`;
}

function shownPiece(texts: Texts, piece: Piece): Html {
  if (piece.kind === 'words') return html`${piece.text}`;
  if (piece.kind === 'either') return html`${piece.choices.join(' / ')}`;
  if (piece.kind === 'slot') return html`<mark>${slotName(texts, piece.name)}</mark>`;
  return html`<span class="at-times" title="${texts.workshop.atTimes}">${piece.pieces.map(one => shownPiece(texts, one))}</span>`;
}

function slotName({ workshop }: Texts, name: string): string {
  const names: Record<string, string> = {
    ...workshop.marks,
    ...workshop.slots,
    utr: workshop.marks.reference,
  };
  return names[name] ?? name;
}
