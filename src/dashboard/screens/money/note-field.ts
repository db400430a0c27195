import { type Html, html } from '../../../http/html.ts';
import { longestNote } from '../../../review/storable-note.ts';
import type { Visit } from '../../route.ts';

/** Browsers count UTF-16 units, of which an emoji is two. */
const unitsOfACodePoint = 2;

/** A note of whoever decides. `id` keeps two forms of one page apart. */
export function noteField({ texts }: Visit, id: string): Html {
  const words = texts.money;
  return html`<div class="field">
<label for="${id}">${words.note} (${texts.shell.optional})</label>
<p class="hint" id="${id}-hint">${words.noteHint}</p>
<textarea id="${id}" name="note" rows="2" maxlength="${longestNote * unitsOfACodePoint}" aria-describedby="${id}-hint"></textarea>
</div>`;
}
