import { type Html, html } from '../../http/html.ts';
import type { Texts } from '../../texts/languages.ts';

/** Copies the text of the element `from`; hidden where there is no script to do it. `label` tells screen readers what. */
export function copyButton({ shell }: Texts, from: string, label: string): Html {
  return html`<button type="button" class="button plain copy" data-copy-from="${from}" aria-label="${shell.copy}: ${label}" hidden>${shell.copy}</button>`;
}

/** A value to be taken elsewhere, with its button. */
export function copyable(texts: Texts, id: string, value: string, label: string): Html {
  return html`<span class="copyable"><code id="${id}">${value}</code>${copyButton(texts, id, label)}</span>`;
}
