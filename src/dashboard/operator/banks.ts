import { bankNames } from '../../alerts/banks/bank-support.ts';
import type { Skipped } from '../../alerts/banks/load-banks.ts';
import { BanksFileError } from '../../alerts/banks/read-json-with-lines.ts';
import { removeBankEntry } from '../../alerts/book/bank-entries.ts';
import { type StoredEntry, selectEntries } from '../../alerts/book/queries.ts';
import { dismissHeldLine, listHeldLine } from '../../alerts/held/held-lines.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Texts } from '../../texts/languages.ts';
import { confirmPage, dangerLink, linkButton, postButton, postForm, radioField } from '../frame/controls.ts';
import { badge, card, emptyState, moment, note, screen, titledCard } from '../frame/parts.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { bankTabs } from './change-merchant.ts';
import {
  type BankFigure,
  type BankSummary,
  type HeldLineRow,
  type SourceRow,
  selectBankSummaries,
  selectHeldLine,
  selectHeldLines,
  selectSkeletons,
  selectSources,
} from './queries/banks.ts';
import { inspectGiven, readStored, recordMailView } from './workshop/chosen-mail.ts';

const home = '/dashboard/operator/banks';
/** The figures go back so many days. */
const shownDays = 30;
const shownLines = 50;
const change = reauth('operator');

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
    selectBankSummaries(world.sql, { now, days: shownDays }),
    selectHeldLines(world.sql, shownLines),
    selectEntries(world.sql),
  ]);
  const bankName = bankNames(world);
  return screen(texts.operator.navigation.operatorBanks, { quietOnPhone: true })`
${bankTabs(texts, 'operatorBanks')}
<p class="quiet">${words.text}</p>
${lines.length > 0 && heldLineCards(texts, lines, bankName)}
${card(
  banks.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : bankRows(texts, banks, bankName),
  { title: words.banksTitle },
)}
${titledCard({ title: words.entries })`
<p class="quiet">${entries.length === 0 ? words.entriesNone : words.entriesText}</p>
${entries.toReversed().map(row => entryOf(texts, row, world.banks.skipped(), bankName))}`}`;
}

type BankName = (id: string) => string;

function bankRows({ operatorBanks: words }: Texts, banks: readonly BankSummary[], bankName: BankName): Html {
  const figures = Object.keys(words.figures) as (keyof BankFigure)[];
  const rows = banks.map(row => ({
    href: `${home}/${row.bank}`,
    who: bankName(row.bank),
    what: html`${row.new_skeletons > 0 && badge(words.newSkeletons({ count: row.new_skeletons }), 'warn')} ${row.new_sources > 0 && badge(words.newSources({ count: row.new_sources }), 'warn')} ${figures
      .filter(figure => row[figure] > 0)
      .map(figure => `${words.figures[figure]}: ${row[figure].toLocaleString('en-IN')}`)
      .join(', ')}`,
  }));
  return html`<div class="wrapped">${rowList(rows, { label: words.banksTitle })}</div>`;
}

function entryOf(
  { labels, operatorBanks: words }: Texts,
  row: StoredEntry,
  skipped: readonly Skipped[],
  bankName: BankName,
): Html {
  const found = skipped.find(one => one.entryId === row.entry_id);
  const text = found?.isUsed ? words.partlyUsedText : words.skippedText;
  return html`<article class="held-line"><h3>${bankName(row.bank)}</h3>
<p class="quiet"><bdi>${row.saved_by}</bdi>, ${moment(row.saved_at)}${row.note !== '' && `, ${row.note}`}</p>
${found && note(text({ problem: found.error.message }), found.isUsed ? 'warn' : 'bad')}
<pre class="bank-words">${JSON.stringify(row.entry, null, 1)}</pre>
<div class="actions">${dangerLink(`${home}/entries/${row.entry_id}/remove`, labels.remove)}</div></article>`;
}

/** Each line as it would be listed, with its mail: the operator must see who wrote the words. */
function heldLineCards(
  { operatorBanks: words }: Texts,
  lines: readonly HeldLineRow[],
  bankName: BankName,
): Html {
  const one = (row: HeldLineRow) => {
    const path = `${home}/lines/${row.line_id}`;
    return html`<article class="held-line" id="line-${row.line_id}">
<h3>${bankName(row.bank)}</h3>
<p class="quiet">${words.heldCount({ mails: row.held, businesses: row.businesses })} · ${words.first} ${moment(row.first_seen)}</p>
<p class="quiet">${words.asListed}</p>
<pre class="bank-words"><bdi>${row.line}</bdi></pre>
<details open><summary>${words.example}</summary><pre class="bank-words"><bdi>${row.surroundings}</bdi></pre></details>
<div class="actions">${linkButton(`${path}/list`, words.list)}${postButton(`${path}/dismiss`, words.dismiss)}</div>
</article>`;
  };
  return card(html`<p>${words.heldText}</p>${lines.map(one)}`, { title: words.heldTitle, id: 'lines' });
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
  const [skeletons, sources] = await Promise.all([
    selectSkeletons(world.sql, bank.id, now, shownSkeletons),
    selectSources(world.sql, bank.id, now),
  ]);
  const title = bankNames(world)(bank.id);
  return screen(title, { back: { href: home, text: texts.operator.navigation.operatorBanks } })`
${titledCard({ title: words.skeletons })`
<p class="quiet">${skeletons.length === 0 ? words.skeletonsNone : words.skeletonsText}</p>
${skeletons.map(
  one => html`<details class="skeleton"><summary>${one.is_new && html`${badge(words.isNew, 'warn')} `}<span class="id">${one.template}</span> · ${words.figures.mails}: ${one.mails} · ${words.first} ${moment(one.first_seen, 'date')} · ${words.last} ${moment(one.last_seen, 'date')}</summary>
<pre class="bank-words">${one.skeleton}</pre></details>`,
)}`}
${card(sources.length === 0 ? html`<p class="quiet">${words.sourcesNone}</p>` : sourceRows(texts, sources), {
  title: words.sources,
})}`;
}

function sourceRows({ operatorBanks: words }: Texts, sources: readonly SourceRow[]): Html {
  const rows = sources.map(row => ({
    who: html`<bdi>${row.source}</bdi>`,
    what: html`${row.kind === 'unlisted_domain' ? badge(words.kinds[row.kind], 'bad') : words.kinds[row.kind]} · ${words.figures.mails}: ${row.mails.toLocaleString('en-IN')} · ${words.first} ${moment(row.first_seen, 'date')} · ${words.last} ${moment(row.last_seen, 'date')}`,
    state: row.is_new && badge(words.isNew, 'warn'),
  }));
  return html`<div class="wrapped">${rowList(rows, { label: words.sources })}</div>`;
}
