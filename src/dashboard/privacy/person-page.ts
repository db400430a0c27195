import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import type { Person } from '../../operator/privacy/show-person.ts';
import type { Texts } from '../../texts/languages.ts';
import { button, hidden, postButton } from '../frame/controls.ts';
import { card, emptyState, facts, moment, note, rupees, screen, titledCard } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';

const path = '/dashboard/settings/privacy';
/** So many of each kind are shown; the export has all of them. */
const mostRows = 100;

/** Everything that the business knows of a person, to be read and printed; and the two things that can be done with it. */
export function personPage({ texts }: Visit, person: Person, asked: string): Answer {
  const words = texts.privacy;
  const sections = Object.entries(person.rows).filter(([, rows]) => rows.length > 0);
  const isNothing = sections.length === 0 && person.archives.length === 0 && person.audit.length === 0;
  const back = { href: path, text: words.title };
  const actions = postButton(`${path}/export`, words.export, { values: { person: asked } });
  return screen(words.found, { text: asked, back, ...(!isNothing && { actions }) })`
${person.isPartial && note(words.partial)}
${isNothing ? card(emptyState(words.nothing, words.nothingText)) : eraseCard(texts, asked)}
${sections.map(([table, rows]) => section(texts, table, rows))}
${
  person.archives.length > 0 &&
  titledCard({ title: titleOf(texts, 'order_archives', person.archives.length) })`${person.archives
    .slice(0, mostRows)
    .map(line => html`<p><code>${line}</code></p>`)}`
}
${person.audit.length > 0 && titledCard({ title: titleOf(texts, 'audit_log', person.audit.length) })`<p>${words.keptAuditText} ${person.audit.join(', ')}</p>`}`;
}

function eraseCard({ privacy: words }: Texts, asked: string): Html {
  return titledCard({ title: words.eraseTitle })`
<ul class="consequences">${words.eraseConsequences.map(sentence => html`<li>${sentence}</li>`)}</ul>
<form method="post" action="${path}/erase" class="stack">${hidden({ person: asked })}
<div class="choice"><input type="checkbox" id="sure" name="sure" value="yes" required><div><label for="sure">${words.eraseSure}</label></div></div>
<div class="actions">${button(words.erase, { danger: true })}</div></form>`;
}

function titleOf({ privacy: { tables } }: Texts, table: string, count: number): string {
  return `${(tables as Record<string, string>)[table] ?? table} (${count})`;
}

function section(texts: Texts, table: string, rows: readonly Record<string, unknown>[]): Html {
  const more = rows.length - mostRows;
  return titledCard({ title: titleOf(texts, table, rows.length) })`
${rows.slice(0, mostRows).map((row, at) => html`${at > 0 && html`<hr>`}${rowFacts(texts, row)}`)}
${more > 0 && html`<p class="quiet">${texts.privacy.more(more)}</p>`}`;
}

/** The columns that say something to people, in this order, each with its word. */
function rowFacts({ privacy: { columns } }: Texts, row: Record<string, unknown>): Html {
  const told = Object.entries(columns).map(
    ([column, label]) => [label, inWords(column, row[column])] as const,
  );
  return facts(told);
}

function inWords(column: string, value: unknown): HtmlValue {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return column.endsWith('_paise') ? rupees(value) : String(value);
  // In a form that breaks anywhere: a body is one long line.
  if (typeof value === 'object') return describe(value) === '' ? null : html`<code>${describe(value)}</code>`;
  if (column.endsWith('_at') || column === 'alert_time') return moment(new Date(String(value)));
  if (column === 'order_id') return html`<a href="/dashboard/orders/${String(value)}">${String(value)}</a>`;
  return html`<code>${String(value)}</code>`;
}

function describe(value: object): string {
  return Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${name}: ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
    .join(', ');
}
