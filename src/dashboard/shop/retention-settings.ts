import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import {
  type ChosenKind,
  chosenKinds,
  earlyDays,
  type KeepBounds,
  type KeepDays,
  mostKeepDays,
} from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { hiddenFor } from '../../orders/history/history-step.ts';
import type { Texts } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import { fold } from '../frame/choosing.ts';
import { field, postForm, whenConfirmed } from '../frame/controls.ts';
import { keptGroups } from '../frame/kept-groups.ts';
import { moment, note } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import type { Visit } from '../frame/route.ts';
import { selectKeeping, updateKeeps } from './queries.ts';

export const keptPath = '/dashboard/settings/kept';

/** Saves an owner's shorter times. Returns the kinds whose days are wrong; then nothing is saved. */
export async function saveKeeps(world: World, visit: Visit): Promise<readonly ChosenKind[]> {
  const { merchantId, form, now } = visit;
  const read = chosenKinds.map(kind => [kind, readDays(form.text(kind), world.config.keep[kind])] as const);
  const wrong = read.flatMap(([kind, days]) => (days === 'wrong' ? [kind] : []));
  if (wrong.length > 0) return wrong;
  const keeps = Object.fromEntries(read.filter(([, days]) => days !== null)) as KeepDays;
  const said =
    Object.entries(keeps)
      .map(([kind, days]) => `${kind} ${days}`)
      .join(', ') || '–';
  await makeChange(world, visit, async tx => {
    await updateKeeps(tx, merchantId, keeps, now);
    return { action: 'keep.choose', subject: said, notice: because('keep_chosen', { kept: said }) };
  });
  return [];
}

function readDays(text: string, { floor, ceiling }: KeepBounds[ChosenKind]): number | null | 'wrong' {
  if (text === '') return null;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return days >= floor && days <= (ceiling ?? mostKeepDays) ? days : 'wrong';
}

function sayBounds({ kept: words }: Texts, { floor, ceiling }: KeepBounds[ChosenKind]): string {
  return ceiling === null ? words.atLeast({ floor }) : words.between({ floor, most: ceiling });
}

export async function keptSection(
  world: World,
  visit: Visit,
  wrong: readonly ChosenKind[] = [],
): Promise<Html> {
  const { texts, merchantId, now } = visit;
  const words = texts.kept;
  const bounds = world.config.keep;
  const { keeps, early_since: since, history_days: days } = await selectKeeping(world.sql, merchantId);
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
  const choose = () =>
    html`<div class="stack"><p class="quiet">${words.chooseText}</p>${whenConfirmed(visit, () => postForm(keptPath, texts.shell.save, fields()))}</div>`;
  return html`<section id="kept"><h2>${words.title}</h2><p class="small quiet">${days === null ? words.hidesNothing : words.hides({ days })}</p>
${from !== null && from > now && note(html`${words.pending} ${moment(from, 'date')}`)}
${keptGroups(world, texts, earlyDays(bounds, keeps))}
${visit.may('keep.choose') && (wrong.length > 0 ? choose() : fold(words.choose, choose()))}</section>`;
}
