import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import {
  type ChosenKind,
  chosenKinds,
  earlyDays,
  type KeepBounds,
  type KeepDays,
  mostKeepDays,
} from '../../base/what-is-kept.ts';
import type { World } from '../../base/world.ts';
import { hiddenFor } from '../../orders/history/step.ts';
import type { Texts } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { field, plainLink, postForm, whenFresh } from '../frame/controls.ts';
import { keptTable } from '../frame/kept-table.ts';
import { card, moment, note, screen, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../frame/route.ts';
import { selectKeeping, updateKeeps } from './queries.ts';

const path = '/dashboard/settings/kept';

/** Stored data, how long and why, from the one table. An owner chooses within the operator's limits. */
export const keptRoutes = [
  get(path, 'business.read', keptPage),
  post(path, fresh('keep.choose'), async (world, visit) => {
    const { merchantId, form, texts, now } = visit;
    const read = chosenKinds.map(kind => [kind, readDays(form.text(kind), world.config.keep[kind])] as const);
    const wrong = read.flatMap(([kind, days]) => (days === 'wrong' ? [kind] : []));
    if (wrong.length > 0) return await keptPage(world, visit, wrong);
    const keeps = Object.fromEntries(read.filter(([, days]) => days !== null)) as KeepDays;
    const said =
      Object.entries(keeps)
        .map(([kind, days]) => `${kind} ${days}`)
        .join(', ') || '–';
    await makeChange(world, visit, async tx => {
      await updateKeeps(tx, merchantId, keeps, now);
      return { action: 'keep.choose', subject: said, notice: because('keep_chosen', { kept: said }) };
    });
    return redirect(path, texts.kept.saved);
  }),
];

export function keptCard({ texts }: Visit): Html {
  return titledCard({ title: texts.kept.title, id: 'kept' })`<p class="quiet">${texts.kept.text}</p>
<div class="actions">${plainLink(path, texts.kept.toPage)}</div>`;
}

function readDays(text: string, { floor, ceiling }: KeepBounds[ChosenKind]): number | null | 'wrong' {
  if (text === '') return null;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return days >= floor && days <= (ceiling ?? mostKeepDays) ? days : 'wrong';
}

function sayBounds({ kept: words }: Texts, { floor, ceiling }: KeepBounds[ChosenKind]): string {
  return ceiling === null ? words.atLeast({ floor }) : words.between({ floor, most: ceiling });
}

async function keptPage(world: World, visit: Visit, wrong: readonly ChosenKind[] = []): Promise<Answer> {
  const { texts, merchantId, now } = visit;
  const words = texts.kept;
  const bounds = world.config.keep;
  const { keeps, early_since: since, history_days: days } = await selectKeeping(world.sql, merchantId);
  const early = earlyDays(bounds, keeps);
  const from = since && later(since, hiddenFor);
  const fields = () =>
    chosenKinds.map(kind =>
      field(kind, words.kinds[kind].what, {
        hint: sayBounds(texts, bounds[kind]),
        value: visit.form.has(kind) ? visit.form.text(kind) : String(keeps[kind] ?? ''),
        inputmode: 'numeric',
        autocomplete: 'off',
        error: wrong.includes(kind) ? words.wrong : undefined,
      }),
    );
  const back = { href: '/dashboard/settings', text: texts.shell.navigation.settings };
  return screen(words.title, { text: words.text, back, status: wrong.length === 0 ? 200 : 400 })`
${card(html`<p>${days === null ? words.hidesNothing : words.hides({ days })}</p>`)}
${from !== null && from > now && note(html`${words.pending} ${moment(from, 'date')}`)}
${
  visit.may('keep.choose') &&
  titledCard({ title: words.choose, id: 'choose' })`<p class="quiet">${words.chooseText}</p>
${whenFresh(visit, () => postForm(path, texts.shell.save, fields()))}`
}
${card(keptTable(world, texts, early))}`;
}
