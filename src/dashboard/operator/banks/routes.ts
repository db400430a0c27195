import { bankNames } from '../../../alerts/banks/bank-names.ts';
import { BanksFileError } from '../../../alerts/banks/read-json-with-lines.ts';
import { dismissHeldLine } from '../../../alerts/judging/dismiss-held-line.ts';
import { listHeldLine } from '../../../alerts/judging/list-held-line.ts';
import { selectEntries } from '../../../alerts/judging/queries/bank-entries.ts';
import { removeBankEntry } from '../../../alerts/judging/remove-bank-entry.ts';
import { html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import { confirmPage, postForm, radioField } from '../../frame/controls.ts';
import { card, emptyState, screen, titledCard } from '../../frame/parts.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../../frame/route.ts';
import { selectBankSummaries, selectHeldLine, selectHeldLines } from '../queries/banks.ts';
import { inspectGiven, readStored, recordLook } from '../workshop/given-mail.ts';
import {
  bankTable,
  entryTable,
  heldLineCards,
  banksHome as home,
  newForDays,
  shownDays,
} from './bank-tables.ts';
import { showBank } from './show-bank.ts';

const shownLines = 50;
const change = fresh('operator');

export const operatorBanksRoutes = [
  get(home, 'operator', showBanks),
  get(`${home}/:bank`, 'operator', showBank),
  get(`${home}/lines/:line_id/list`, change, askListing),
  post(`${home}/lines/:line_id/list`, change, listLine),
  post(`${home}/lines/:line_id/dismiss`, change, dismissLine),
  get(`${home}/entries/:entry_id/remove`, change, askRemoving),
  post(`${home}/entries/:entry_id/remove`, change, removeEntry),
];

async function showBanks(world: World, { texts, now }: Visit): Promise<Answer> {
  const words = texts.operatorBanks;
  const [banks, lines, entries] = await Promise.all([
    selectBankSummaries(world.sql, { now, days: shownDays, newFor: newForDays }),
    selectHeldLines(world.sql, shownLines),
    selectEntries(world.sql),
  ]);
  const bankName = bankNames(world);
  return screen(texts.shell.navigation.operatorBanks, { text: words.text })`
${lines.length > 0 && heldLineCards(texts, lines, bankName)}
${card(
  banks.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : bankTable(texts, banks, bankName),
  { title: words.banksTitle },
)}
${titledCard({ title: words.entries })`
<p class="quiet">${entries.length === 0 ? words.entriesNone : words.entriesText}</p>
${entries.length > 0 && entryTable(texts, entries, world.banks.skipped(), bankName)}`}`;
}

/** The whole mail, and the one question that matters: whose words stand below this line. */
async function askListing(world: World, visit: Visit): Promise<Answer> {
  const { texts, params } = visit;
  const words = texts.operatorBanks;
  const lineId = idOf(params['line_id']);
  const held = lineId === null ? null : await selectHeldLine(world.sql, lineId);
  if (held === null) return notFound();
  const mail = held.stored === null ? null : await readHeld(world, visit, held.stored);
  const choices = (['bank', 'other'] as const).map(value => ({ value, text: words.whose[value] }));
  return screen(words.listTitle({ bank: bankNames(world)(held.bank) }), { text: words.listText })`
${card(html`<p class="quiet">${words.asListed}</p><pre class="bank-words"><bdi>${held.line}</bdi></pre>
<p class="quiet">${mail === null ? words.example : words.wholeMail}</p>
<pre class="bank-words"><bdi>${mail ?? held.surroundings}</bdi></pre>
${postForm(`${home}/lines/${lineId}/list`, words.listAnswer, [radioField('whose', words.whoseWords, { value: '', choices })], { cancel: { href: home, text: texts.shell.cancel } })}`)}`;
}

/** Subject and lines of a held mail, as a reader sees it; that it was looked at stands in the business's log. */
async function readHeld(world: World, visit: Visit, stored: string): Promise<string | null> {
  const given = await readStored(world, stored);
  const mail = given === null ? null : await inspectGiven(world, given, visit.now);
  if (mail === null || mail === 'gave_up' || mail.outcome === 'refused') return null;
  await recordLook(world, visit, stored);
  return `${mail.subject}\n\n${mail.html ?? mail.text ?? ''}`;
}

async function listLine(world: World, visit: Visit): Promise<Answer> {
  const { texts, params, form, user, address } = visit;
  const words = texts.operatorBanks;
  const lineId = idOf(params['line_id']);
  if (lineId === null) return notFound();
  if (form.text('whose') === 'other') return await dismissLine(world, visit);
  if (form.text('whose') !== 'bank') return redirect(`${home}/lines/${lineId}/list`, words.whoseMissing);
  try {
    const saved = await world.sql.begin(tx =>
      listHeldLine(tx, world, lineId, { actor: user.email, address }),
    );
    return redirect(home, saved === null ? words.goneFlash : words.listedFlash(saved));
  } catch (error) {
    if (error instanceof BanksFileError)
      return redirect(home, words.refusedFlash({ problem: error.message }));
    throw error;
  }
}

async function dismissLine(world: World, { texts, params, user, address }: Visit): Promise<Answer> {
  const words = texts.operatorBanks;
  const lineId = idOf(params['line_id']);
  if (lineId === null) return notFound();
  const by = { actor: user.email, address };
  const dismissed = await world.sql.begin(tx => dismissHeldLine(tx, world, lineId, by));
  return redirect(home, dismissed ? words.dismissedFlash : words.goneFlash);
}

async function askRemoving(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operatorBanks;
  const entryId = idOf(visit.params['entry_id']);
  const entry = (await selectEntries(world.sql)).find(one => one.entry_id === entryId);
  if (!entry) return notFound();
  return confirmPage(visit, {
    title: words.removeTitle({ bank: bankNames(world)(entry.bank) }),
    consequences: words.removeConsequences,
    submit: visit.texts.labels.remove,
    back: home,
  });
}

async function removeEntry(world: World, { texts, params, user, address }: Visit): Promise<Answer> {
  const words = texts.operatorBanks;
  const entryId = idOf(params['entry_id']);
  if (entryId === null) return notFound();
  const by = { actor: user.email, address };
  const removal = await world.sql.begin(tx => removeBankEntry(tx, world, entryId, by));
  if (removal === 'unknown') return notFound();
  return redirect(home, removal === 'needed' ? words.neededFlash : words.removedFlash);
}

function idOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
