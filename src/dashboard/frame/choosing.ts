import { type Html, html } from '../../base/http/html.ts';
import { type IconName, icon } from './icon.ts';

export type Tab = { href: string; text: string; current: boolean; count?: number };

/** Chooses what is listed. On a narrow screen the tabs scroll sideways. */
export function tabs(label: string, tabs: readonly Tab[]): Html {
  return choice('tabs', label, tabs);
}

export function segments(label: string, tabs: readonly Tab[]): Html {
  return choice('segments', label, tabs);
}

function choice(kind: string, label: string, tabs: readonly Tab[]): Html {
  return html`<nav class="${kind}" aria-label="${label}">${tabs.map(
    ({ href, text, current, count = 0 }) =>
      html`<a href="${href}"${current && html` aria-current="page"`}>${text}${count > 0 && html` <span class="count">${shownCount(count)}</span>`}</a>`,
  )}</nav>`;
}

const mostShown = 99;

export function shownCount(count: number): string {
  return count > mostShown ? `${mostShown}+` : String(count);
}

/** Everything that is not the screen's main action, behind one button. */
export function moreMenu(
  label: string,
  items: readonly Html[],
  { icon: name = 'more' }: { icon?: IconName } = {},
): Html {
  return html`<details class="menu"><summary class="tool" aria-label="${label}">${icon(name)}${name !== 'more' && html`<span class="desk-only">${label}</span>`}</summary><ul>${items.map(item => html`<li>${item}</li>`)}</ul></details>`;
}

/** A search whose result is an address, so it also works without script. */
export function searchField(action: string, label: string, value: string, placeholder: string): Html {
  return html`<form class="search" role="search" action="${action}">${icon('search', true)}<input type="search" name="q" value="${value}" placeholder="${placeholder}" aria-label="${label}" autocomplete="off" enterkeyhint="search" maxlength="200"></form>`;
}

/** It needs an `id` in a part that the script renews, so that it stays open. */
export function fold(title: string, body: Html, id?: string): Html {
  return html`<details class="fold"${id !== undefined && html` id="${id}"`}><summary>${title}${icon('down', true)}</summary>${body}</details>`;
}
