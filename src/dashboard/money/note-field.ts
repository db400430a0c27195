import { type Html, html } from '../../base/http/html.ts';
import { longestNote } from '../../payments/review/decide-by-hand.ts';
import { unitsOfACodePoint } from '../frame/controls.ts';
import type { Visit } from '../frame/route.ts';

/** A note of whoever decides: out of the way until somebody wants one. `id` keeps two forms of one page apart. */
export function noteField({ texts }: Visit, id: string): Html {
  const { note, addNote } = texts.money;
  return html`<details class="add-note" id="${id}-more"><summary>${addNote}</summary><div class="field">
<label for="${id}">${note}</label>
<textarea id="${id}" name="note" rows="2" maxlength="${longestNote * unitsOfACodePoint}"></textarea>
</div></details>`;
}
