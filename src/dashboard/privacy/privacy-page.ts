import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Erasure, Wait } from '../../operator/privacy/erasure.ts';
import { selectErasures } from '../../operator/privacy/queries/erasures.ts';
import { field, postForm } from '../frame/controls.ts';
import { badge, emptyState, facts, moment, note, screen, titledCard } from '../frame/parts.ts';
import type { Answer, Visit } from '../frame/route.ts';

const longestQuestion = 500;
const mostShown = 50;
const mostIds = 12;

/** Where an owner asks about a person, and sees what became of what was erased. */
export async function privacyPage(
  world: Pick<World, 'sql'>,
  visit: Visit,
  { problem }: { problem?: 'personWrong' | 'tooMany' | 'eraseNotSure' } = {},
): Promise<Answer> {
  const { texts, merchantId, form } = visit;
  const words = texts.privacy;
  const erasures = await selectErasures(world.sql, merchantId, mostShown);
  const question = field({
    name: 'person',
    label: words.person,
    hint: words.personHint,
    value: form.text('person'),
    maxlength: longestQuestion,
    autocomplete: 'off',
    required: true,
    error: problem && words[problem],
  });
  const back = { href: '/dashboard/settings', text: texts.shell.navigation.settings };
  return screen(words.title, { text: words.text, status: problem ? 400 : 200, back })`
${titledCard({ title: words.findTitle })`<p class="quiet">${words.findText}</p>
${postForm({ action: '/dashboard/settings/privacy/person', fields: question, submit: words.find })}`}
${titledCard({ title: words.erasures })`${
  erasures.length === 0
    ? emptyState(words.noErasures, words.noErasuresText)
    : erasures.map(one => erasureFacts(visit, one))
}`}`;
}

function erasureFacts({ texts }: Visit, erasure: Erasure): Html {
  const words = texts.privacy;
  const { erased = {}, waits = [], kept = [], problem } = erasure.report;
  const [state, tone] =
    problem !== undefined
      ? ([words.states.stopped, 'bad'] as const)
      : erasure.erased_at === null
        ? ([words.states.working, 'warn'] as const)
        : ([words.states.erased, 'good'] as const);
  const counted = Object.entries(words.counted)
    .map(([kind, say]) => say(erased[kind] ?? 0))
    .join(' · ');
  const audit = kept.filter(({ what }) => what === 'audit').map(({ id }) => id);
  const ownIds = [
    ...new Set(kept.filter(({ what }) => what === 'order_id' || what === 'archive').map(({ id }) => id)),
  ];
  const spent = kept.find(({ what }) => what === 'spent_id')?.id;
  return html`<article>${facts([
    [words.request, html`<code>${erasure.erasure_id}</code> ${badge(state, tone)}`],
    [texts.labels.when, moment(erasure.asked_at)],
    [words.askedBy, erasure.asked_by === 'list' ? words.byList : erasure.asked_by],
    [words.erasedSoFar, counted],
    [words.watching, erasure.done_at === null && problem === undefined && moment(erasure.watch_until)],
    [words.waits, waits.length > 0 && waitList(words.waitsFor, waits)],
    [words.keptAudit, audit.length > 0 && html`${words.keptAuditText} ${audit.slice(0, mostIds).join(', ')}`],
    [words.keptIds, ownIds.length > 0 && html`${words.keptIdsText} ${ownIds.slice(0, mostIds).join(', ')}`],
    [words.keptSpent, spent],
  ])}${problem !== undefined && note(words.problems[problem], 'bad')}</article>`;
}

function waitList(words: Record<Wait['what'], string>, waits: readonly Wait[]): Html {
  const kinds = [...Map.groupBy(waits, ({ what }) => what)];
  return html`<ul class="consequences">${kinds.map(
    ([what, some]) =>
      html`<li>${words[what]} ${some.slice(0, mostIds).map(({ id }, at) => html`${at > 0 && ', '}${what === 'order' ? html`<a href="/dashboard/orders/${id}">${id}</a>` : html`<code>${id}</code>`}`)}${some.length > mostIds && ' …'}</li>`,
  )}</ul>`;
}
