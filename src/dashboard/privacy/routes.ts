import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { askErasure, type Person, showPerson } from '../../privacy/ask-erasure.ts';
import type { Erasure, Wait } from '../../privacy/erasure.ts';
import { readPersonValues } from '../../privacy/person-values.ts';
import { selectErasures } from '../../privacy/queries/erasures.ts';
import type { Texts } from '../../texts/languages.ts';
import { button, field, hidden, postButton, postForm } from '../frame/controls.ts';
import { indianDay } from '../frame/indian-days.ts';
import { badge, card, emptyState, facts, moment, note, rupees, titledCard } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';

const path = '/dashboard/settings/privacy';

export const privacyRoutes = [
  get(path, reauth('privacy'), (world, visit) => privacyPage(world, visit)),
  post(`${path}/person`, reauth('privacy'), (world, visit) => withPerson(world, visit, search)),
  post(`${path}/export`, reauth('privacy'), (world, visit) => withPerson(world, visit, takeAlong)),
  post(`${path}/erase`, reauth('privacy'), (world, visit) => withPerson(world, visit, erase)),
];

type Answering = (world: World, visit: Visit, values: string[]) => Promise<Answer>;

async function withPerson(world: World, visit: Visit, answer: Answering): Promise<Answer> {
  const values = readPersonValues(visit.form.text('person'));
  if (values === null) return await privacyPage(world, visit, { problem: 'personWrong' });
  return await answer(world, visit, values);
}

/** Only the kinds of the values, never the values, because the audit log keeps its facts for ever. */
const kindsOf = (values: readonly string[]) =>
  [...new Set(values.map(value => value.split(' ', 1)[0]!))].join(', ');

async function search(world: World, visit: Visit, values: string[]): Promise<Answer> {
  const person = await showPerson(world, visit.merchantId, values, { whole: false });
  await makeChange(world, visit, async () => ({ action: 'person.look', subject: kindsOf(values) }));
  return personPage(visit, person, visit.form.text('person'));
}

async function takeAlong(world: World, visit: Visit, values: string[]): Promise<Answer> {
  const { merchantId, merchant, now } = visit;
  const { isPartial: _, ...person } = await showPerson(world, merchantId, values, { whole: true });
  await makeChange(world, visit, async () => ({ action: 'person.export', subject: kindsOf(values) }));
  const shown = { business: merchant.name, asked_for: values, at: now, ...person };
  const name = `person-${indianDay(now)}.json`;
  return { kind: 'download', name, type: 'application/json', content: JSON.stringify(shown, null, 2) };
}

async function erase(world: World, visit: Visit, values: string[]): Promise<Answer> {
  if (visit.form.text('sure') !== 'yes') return await privacyPage(world, visit, { problem: 'eraseNotSure' });
  const asked = await world.sql.begin(tx => askErasure(tx, world, actorOf(visit), values));
  if (asked === null) return await privacyPage(world, visit, { problem: 'tooMany' });
  return redirect(path, visit.texts.privacy.asked);
}

/** The page shows so many of each kind; the export has all. */
const mostRows = 100;

function personPage(visit: Visit, person: Person, asked: string): Answer {
  const { texts } = visit;
  const words = texts.privacy;
  const sections = Object.entries(person.rows).filter(([, rows]) => rows.length > 0);
  const isNothing = sections.length === 0 && person.archives.length === 0 && person.audit.length === 0;
  const actions = postButton(`${path}/export`, words.export, { values: { person: asked } });
  return shopScreen(visit, 'privacy', { title: words.found, text: asked, ...(!isNothing && { actions }) })`
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
${more > 0 && html`<p class="quiet">${texts.privacy.more({ count: more })}</p>`}`;
}

/** The columns that mean something to people, in this order, each with its label. */
function rowFacts({ privacy: { columns } }: Texts, row: Record<string, unknown>): Html {
  const shown = Object.entries(columns).map(
    ([column, label]) => [label, inWords(column, row[column])] as const,
  );
  return facts(shown);
}

function inWords(column: string, value: unknown): HtmlValue {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return column.endsWith('_paise') ? rupees(value) : String(value);
  // A monospaced form that breaks anywhere, because a webhook's body is one long line.
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

const longestQuestion = 500;
const mostShown = 50;
const mostIds = 12;

async function privacyPage(
  world: Pick<World, 'sql'>,
  visit: Visit,
  { problem }: { problem?: 'personWrong' | 'tooMany' | 'eraseNotSure' } = {},
): Promise<Answer> {
  const { texts, merchantId, form } = visit;
  const words = texts.privacy;
  const erasures = await selectErasures(world.sql, merchantId, mostShown);
  const question = field('person', words.person, {
    hint: words.personHint,
    value: form.text('person'),
    maxlength: longestQuestion,
    autocomplete: 'off',
    required: true,
    error: problem && words[problem],
  });
  return shopScreen(visit, 'privacy', { title: words.findTitle, status: problem ? 400 : 200 })`
<p class="quiet">${words.findText}</p>
${postForm('/dashboard/settings/privacy/person', words.find, question)}
${erasures.length > 0 && titledCard({ title: words.erasures })`${erasures.map(one => erasureFacts(visit, one))}`}`;
}

function erasureFacts({ texts }: Visit, erasure: Erasure): Html {
  const words = texts.privacy;
  const { erased = {}, waits = [], kept = [], problem } = erasure.report;
  const [state, tone] =
    problem !== undefined
      ? ([words.states.stopped, 'bad'] as const)
      : erasure.erased_at === null
        ? ([waits.length > 0 ? words.waits : words.states.working, 'warn'] as const)
        : ([words.states.erased, 'good'] as const);
  const counted = Object.entries(words.counted)
    .filter(([kind]) => erased[kind])
    .map(([kind, say]) => say({ count: erased[kind]! }))
    .join(' · ');
  const idsOf = (...kinds: string[]) => [
    ...new Set(kept.filter(({ what }) => kinds.includes(what)).map(({ id }) => id)),
  ];
  const [audit, ownIds, places] = [idsOf('audit'), idsOf('order_id', 'archive'), idsOf('place')];
  return html`<article>${facts([
    [words.request, html`<code>${erasure.erasure_id}</code> ${badge(state, tone)}`],
    [texts.labels.when, moment(erasure.asked_at)],
    [words.askedBy, erasure.asked_by === 'list' ? words.byList : erasure.asked_by],
    [words.states.erased, counted],
    [words.nextLook, waits.length > 0 && erasure.next_at && moment(erasure.next_at)],
    [words.watching, erasure.done_at === null && problem === undefined && moment(erasure.watch_until)],
    [words.waits, waits.length > 0 && waitList(words.waitsFor, waits)],
    [words.keptAudit, audit.length > 0 && html`${words.keptAuditText} ${audit.slice(0, mostIds).join(', ')}`],
    [words.keptIds, ownIds.length > 0 && html`${words.keptIdsText} ${ownIds.slice(0, mostIds).join(', ')}`],
    [words.keptSpent, idsOf('spent_id')[0]],
    [words.keptPlaces, places.length > 0 && html`${words.keptPlacesText} <code>${places.join(', ')}</code>`],
  ])}${problem !== undefined && note(words.problems[problem], 'bad')}</article>`;
}

function waitList(words: Record<Wait['what'], string>, waits: readonly Wait[]): Html {
  const kinds = [...Map.groupBy(waits, ({ what }) => what)];
  return html`<ul class="consequences">${kinds.map(
    ([what, some]) =>
      html`<li>${words[what]} ${some.slice(0, mostIds).map(({ id }, at) => html`${at > 0 && ', '}${what === 'order' ? html`<a href="/dashboard/orders/${id}">${id}</a>` : html`<code>${id}</code>`}`)}${some.length > mostIds && ' …'}</li>`,
  )}</ul>`;
}
