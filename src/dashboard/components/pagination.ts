import { type Html, html } from '../../http/html.ts';
import type { Texts } from '../../texts/languages.ts';

/** Links to the neighbouring pages of a list; null where there is none. */
export function pagination(
  { shell }: Texts,
  { newer, older }: { newer: string | null; older: string | null },
): Html | null {
  if (newer === null && older === null) return null;
  return html`<nav class="pagination" aria-label="${shell.newer} / ${shell.older}">
${newer !== null && html`<a class="button plain" rel="prev" href="${newer}">← ${shell.newer}</a>`}
${older !== null && html`<a class="button plain" rel="next" href="${older}">${shell.older} →</a>`}
</nav>`;
}
