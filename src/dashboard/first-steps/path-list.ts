import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { linkButton } from '../frame/controls.ts';
import { badge } from '../frame/parts.ts';
import { type Path, type PathStep, pathSteps } from './read-path.ts';

/** The path as Home shows it before the proof: how far it is, and one way on. */
export function pathList(texts: Texts, path: Path): Html {
  const words = texts.firstSteps;
  return html`<ol class="checks">${pathSteps.map((step, at) => html`<li class="check">${stateOf(texts, path, step)} <span>${at + 1}. ${words.steps[step]}</span></li>`)}</ol>
${path.current && html`<div class="actions">${linkButton(`/dashboard/first-steps#${path.current}-step`, words.goOn({ step: words.steps[path.current] }))}</div>`}`;
}

/** Done, next, later, or passed without our having seen it. */
export function stateOf({ firstSteps: words }: Texts, { done, current }: Path, step: PathStep): Html {
  if (done[step]) return badge(words.done, 'good');
  if (step === current) return badge(words.now, 'warn');
  const isPassed = current === null || pathSteps.indexOf(step) < pathSteps.indexOf(current);
  return badge(isPassed ? words.waiting : words.open);
}

export type CheckState = 'done' | 'waiting' | 'failed';

/** A gate that a mail passes on its way to an order: `name` says in a word whether it has. */
export function checkLine(
  { firstSteps: { gates } }: Texts,
  gate: keyof Texts['firstSteps']['gates'],
  state: CheckState,
  name: string,
  text: string,
): Html {
  const tone = { done: 'good', waiting: 'quiet', failed: 'bad' } as const;
  return html`<li class="check ${state}">${badge(name, tone[state])} <span><strong>${gates[gate]}</strong><br><span class="quiet">${text}</span></span></li>`;
}
