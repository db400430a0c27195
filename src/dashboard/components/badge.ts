import { type Html, html } from '../../http/html.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in a word. The word says it; the colour only repeats it. */
export function badge(text: string, tone: Tone = 'quiet'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}
