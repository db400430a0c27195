import { createHash } from 'node:crypto';
import { type Piece, parseTemplate } from '../../../alerts/banks/parse-template.ts';
import { type EntryDraft, type WrittenEntry, wordingOf } from '../../../alerts/workshop/draft-entry.ts';
import { anySubject } from '../../../alerts/workshop/draft-template.ts';
import type { Trial } from '../../../alerts/workshop/try-out.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { hidden } from '../../frame/controls.ts';
import { badge, card, facts, note, rupees, titledCard } from '../../frame/parts.ts';
import { workshopHome } from './marking-form.ts';

/** What was shown: only this is saved, and not what was typed into the fields since. */
export function seenMark(entry: WrittenEntry): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex');
}

/** What the entry reads, what it was tried on, and the two things to do with it. */
export function preview(texts: Texts, draft: EntryDraft, trial: Trial): Html {
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
  const spoiled = stored.spoiled.length;
  const changes = `${words.read({ count: stored.read.length })}; ${spoiled === 0 ? words.unspoiled : words.spoiled({ spoiled })}`;
  return html`${facts([
    [words.fillings(fillings), words.moved({ count: fillings.moved.length })],
    [words.stored, stored.tried === 0 ? words.noneKept : `${stored.tried}: ${changes}`],
  ])}
${note(maySave ? words.maySave : words.mayNotSave, maySave ? 'good' : 'bad')}
${hidden({ seen: seenMark(entry) })}
${maySave && html`<p class="hint">${words.saveText}</p><div class="actions"><button class="button" formaction="${workshopHome}/save">${words.save}</button></div>`}
<p class="hint">${words.exportText}</p>
<div class="actions"><button class="button plain" formaction="${workshopHome}/export">${words.export}</button></div>`;
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
