import { bankNames } from '../../../alerts/banks/bank-support.ts';
import { BanksFileError } from '../../../alerts/banks/read-json-with-lines.ts';
import { removeBankEntry } from '../../../alerts/book/bank-entries.ts';
import { selectEntries } from '../../../alerts/book/queries.ts';
import { dismissHeldLine, listHeldLine } from '../../../alerts/held/held-lines.ts';
import { day, later } from '../../../base/clock.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import type { Texts } from '../../../texts/languages.ts';
import { fold } from '../../frame/choosing.ts';
import { confirmPage, postForm, radioField } from '../../frame/controls.ts';
import {
  badge,
  type Column,
  card,
  emptyState,
  moment,
  screen,
  table,
  titledCard,
} from '../../frame/parts.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../../frame/route.ts';
import { bankTabs } from '../change-business.ts';
import {
  type BankDay,
  type BankFigure,
  type SeenRow,
  type SourceRow,
  selectBankBegin,
  selectBankDays,
  selectBankSummaries,
  selectHeldLine,
  selectHeldLines,
  selectSkeletons,
  selectSources,
} from '../queries/banks.ts';
import { inspectGiven, readStored, recordMailView } from '../workshop/chosen-mail.ts';
import {
  banksHome,
  bankTable,
  entryTable,
  heldLineCards,
  banksHome as home,
  newForDays,
  shownDays,
} from './bank-tables.ts';

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
  return screen(texts.shell.navigation.operatorBanks, { quietOnPhone: true })`
${bankTabs(texts, 'operatorBanks')}
<p class="quiet">${words.text}</p>
${lines.length > 0 && heldLineCards(texts, lines, bankName)}
${card(
  banks.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : bankTable(texts, banks, bankName),
  { title: words.banksTitle },
)}
${titledCard({ title: words.entries })`
<p class="quiet">${entries.length === 0 ? words.entriesNone : words.entriesText}</p>
${entries.length > 0 && entryTable(texts, entries, world.banks.skipped(), bankName)}`}`;
}

/** The whole mail, and the one question that matters: who wrote the words below this line. */
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

/** A held mail's subject and lines as the reader parses it. The business's log records that an operator saw it. */
async function readHeld(world: World, visit: Visit, stored: string): Promise<string | null> {
  const given = await readStored(world, stored);
  const mail = given === null ? null : await inspectGiven(world, given, visit.now);
  if (mail === null || mail === 'gave_up' || mail.outcome === 'refused') return null;
  await recordMailView(world, visit, stored);
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

const shownSkeletons = 30;

async function showBank(world: World, { texts, params, now }: Visit): Promise<Answer> {
  const words = texts.operatorBanks;
  const bank = world.banks.current().find(one => one.id === params['bank']);
  if (!bank) return notFound();
  const [days, skeletons, sources, begun] = await Promise.all([
    selectBankDays(world.sql, bank.id, { now, days: shownDays }),
    selectSkeletons(world.sql, bank.id, shownSkeletons),
    selectSources(world.sql, bank.id),
    selectBankBegin(world.sql, bank.id),
  ]);
  // Whatever a bank sent when it was first seen is not new.
  const isNew = ({ first_seen }: SeenRow) =>
    first_seen > later(now, -newForDays * day) && first_seen > later(begun ?? now, newForDays * day);
  const title = bankNames(world)(bank.id);
  return screen(title, { back: { href: banksHome, text: texts.shell.navigation.operatorBanks } })`
${fold(words.banksTitle, dayTable(texts, days))}
${titledCard({ title: words.skeletons })`
<p class="quiet">${skeletons.length === 0 ? words.skeletonsNone : words.skeletonsText}</p>
${skeletons.map(
  one => html`<details class="skeleton"><summary>${isNew(one) && html`${badge(words.isNew, 'warn')} `}<span class="id">${one.template}</span> · ${words.count}: ${one.mails} · ${words.first} ${moment(one.first_seen, 'date')} · ${words.last} ${moment(one.last_seen, 'date')}</summary>
<pre class="bank-words">${one.skeleton}</pre></details>`,
)}`}
${card(
  sources.length === 0 ? html`<p class="quiet">${words.sourcesNone}</p>` : sourceTable(texts, sources, isNew),
  { title: words.sources },
)}`;
}

function dayTable({ labels, operatorBanks: words }: Texts, days: readonly BankDay[]): Html {
  const names = Object.keys(words.figures) as (keyof BankFigure)[];
  return table(words.banksTitle, [...days].reverse(), [
    { title: labels.day, cell: (each: BankDay) => each.day },
    ...names.map(name => ({
      title: words.figures[name],
      cell: (each: BankDay) => each[name],
      number: true,
    })),
  ]);
}

function sourceTable(
  { operatorBanks: words }: Texts,
  sources: readonly SourceRow[],
  isNew: (row: SeenRow) => boolean,
): Html {
  const columns: Column<SourceRow>[] = [
    {
      title: words.source,
      cell: row => html`<bdi>${row.source}</bdi> ${isNew(row) && badge(words.isNew, 'warn')}`,
    },
    {
      title: words.kind,
      cell: row =>
        row.kind === 'unlisted_domain' ? badge(words.kinds[row.kind], 'bad') : words.kinds[row.kind],
    },
    { title: words.count, cell: row => row.mails.toLocaleString('en-IN'), number: true },
    { title: words.first, cell: row => moment(row.first_seen, 'date') },
    { title: words.last, cell: row => moment(row.last_seen, 'date') },
  ];
  return table(words.sources, sources, columns);
}
