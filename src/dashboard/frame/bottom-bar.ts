import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { icon } from './icon.ts';
import { type MenuItem, waitingBadge } from './navigation-item.ts';

/** What a shop does all day. Whoever may not open one of these has the first others of their menu instead. */
const wanted: readonly MenuItem['text'][] = ['home', 'newPayment', 'counter', 'money'];

/** In the menu's order. */
export function barItems(items: readonly MenuItem[]): MenuItem[] {
  const first = [...items.filter(isWanted), ...items.filter(item => !isWanted(item))];
  return items.filter(item => first.indexOf(item) < wanted.length);
}

function isWanted({ text }: MenuItem): boolean {
  return wanted.includes(text);
}

/** On a phone, where the thumb is. Its last button opens the menu, without script too: that has the rest. */
export function bottomBar({ shell }: Texts, items: readonly MenuItem[], current: MenuItem | undefined): Html {
  const shown = barItems(items);
  const elsewhere = items.filter(item => !shown.includes(item)).reduce((sum, { count }) => sum + count, 0);
  const isElsewhere = current === undefined || !shown.includes(current);
  return html`<nav class="bar" aria-label="${shell.bar}">
${shown.map(item => html`<a href="${item.path}"${item === current && html` aria-current="page"`}>${icon(item.text)}<span>${shell.navigation[item.text]}</span>${waitingBadge(shell, item.count)}</a>`)}
<button type="button" popovertarget="menu"${isElsewhere && html` aria-current="true"`}>${icon('menu')}<span>${shell.more}</span>${waitingBadge(shell, elsewhere)}</button>
</nav>`;
}
