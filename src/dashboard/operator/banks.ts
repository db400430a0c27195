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
import { badge, card, emptyState, facts, moment, note, screen } from '../frame/parts.ts';
import { actorOf } from '../frame/record-change.ts';
import { type Answer, get, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { rowList } from '../frame/rows.ts';
import { bankTabs, section } from './change-merchant.ts';
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
${lines.length > 0 && heldLineCards(texts, lines, bankName)}
${banks.length === 0 ? emptyState(words.emptyTitle, words.emptyText) : section(words.banksTitle)`${bankRows(texts, banks, bankName)}`}
${section(words.entries)`${entries.length === 0 && html`<p class="quiet">${words.entriesNone}</p>`}
${entries.toReversed().map(row => entryOf(texts, row, world.banks.skipped(), bankName))}`}`;
}

type BankName = (id: string) => string;

function mailsOf({ operatorBanks: words }: Texts, { mails }: Pick<BankSummary, 'mails'>): string {
  return words.mails({ count: mails, mails: mails.toLocaleString('en-IN') });
}

function bankRows(texts: Texts, banks: readonly BankSummary[], bankName: BankName): Html {
  const words = texts.operatorBanks;
  const rows = banks.map(row => ({
    href: `${home}/${row.bank}`,
    who: bankName(row.bank),
    what: mailsOf(texts, row),
    state: [
      row.new_skeletons > 0 && badge(words.newSkeletons({ count: row.new_skeletons }), 'warn'),
      row.new_sources > 0 && badge(words.newSources({ count: row.new_sources }), 'warn'),
    ],
  }));
  return rowList(rows);
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
<details><summary>${words.entry}</summary><pre class="bank-words">${JSON.stringify(row.entry, null, 1)}</pre></details>
<div class="actions">${dangerLink(`${home}/entries/${row.entry_id}/remove`, labels.remove)}</div></article>`;
}

/** Each line as it would be listed. Its page shows the whole mail, because the operator must see who wrote the words. */
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
<details><summary>${words.example}</summary><pre class="bank-words"><bdi>${row.surroundings}</bdi></pre></details>
<div class="actions">${linkButton(`${path}/list`, words.list)}${postButton(`${path}/dismiss`, words.dismiss)}</div>
</article>`;
  };
  return section(words.heldTitle, 'lines')`<p class="quiet">${words.heldText}</p>${lines.map(one)}`;
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
  const { texts, params, form } = visit;
  const words = texts.operatorBanks;
  const lineId = idOf(params['line_id']);
  if (lineId === null) return notFound();
  if (form.text('whose') === 'other') return await dismissLine(world, visit);
  if (form.text('whose') !== 'bank') return redirect(`${home}/lines/${lineId}/list`, words.whoseMissing);
  try {
    const saved = await world.sql.begin(tx => listHeldLine(tx, world, lineId, actorOf(visit)));
    return redirect(home, saved === null ? words.goneFlash : words.listedFlash(saved));
  } catch (error) {
    if (error instanceof BanksFileError)
      return redirect(home, words.refusedFlash({ problem: error.message }));
    throw error;
  }
}

async function dismissLine(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operatorBanks;
  const lineId = idOf(visit.params['line_id']);
  if (lineId === null) return notFound();
  const dismissed = await world.sql.begin(tx => dismissHeldLine(tx, world, lineId, actorOf(visit)));
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

async function removeEntry(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.operatorBanks;
  const entryId = idOf(visit.params['entry_id']);
  if (entryId === null) return notFound();
  const removal = await world.sql.begin(tx => removeBankEntry(tx, world, entryId, actorOf(visit)));
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
  const [skeletons, sources, banks] = await Promise.all([
    selectSkeletons(world.sql, bank.id, now, shownSkeletons),
    selectSources(world.sql, bank.id, now),
    selectBankSummaries(world.sql, { now, days: shownDays }),
  ]);
  const summary = banks.find(one => one.bank === bank.id);
  const figures = Object.keys(words.figures) as (keyof BankFigure)[];
  const title = bankNames(world)(bank.id);
  return screen(title, { back: { href: home, text: texts.operator.navigation.operatorBanks } })`
${
  summary &&
  section(words.banksTitle)`${facts(
    figures.map(name => [words.figures[name], summary[name] > 0 && summary[name].toLocaleString('en-IN')]),
  )}`
}
${section(words.skeletons)`
<p class="quiet">${skeletons.length === 0 ? words.skeletonsNone : words.skeletonsText}</p>
${skeletons.map(
  one => html`<details><summary><span>${one.is_new && html`${badge(words.isNew, 'warn')} `}${mailsOf(texts, one)}<br><span class="small quiet">${one.template} · ${seen(texts, one)}</span></span></summary>
<pre class="bank-words">${one.skeleton}</pre></details>`,
)}`}
${section(words.sources)`${sources.length === 0 ? html`<p class="quiet">${words.sourcesNone}</p>` : sourceRows(texts, sources)}`}`;
}

function seen({ operatorBanks: words }: Texts, row: { first_seen: Date; last_seen: Date }): Html {
  return html`${words.first} ${moment(row.first_seen, 'date')} · ${words.last} ${moment(row.last_seen, 'date')}`;
}

function sourceRows(texts: Texts, sources: readonly SourceRow[]): Html {
  const words = texts.operatorBanks;
  const rows = sources.map(row => ({
    who: html`<bdi>${row.source}</bdi>`,
    what: html`${row.kind === 'unlisted_domain' ? badge(words.kinds[row.kind], 'bad') : words.kinds[row.kind]} · ${mailsOf(texts, row)} · ${seen(texts, row)}`,
    state: row.is_new && badge(words.isNew, 'warn'),
  }));
  return rowList(rows);
}
