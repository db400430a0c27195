import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';

type Tab = 'all' | 'new' | 'choices' | 'chats';

export function noticeTabs({ labels, notices, pushes, chats }: Texts, current: Tab): Html {
  const tab = (name: Tab, path: string, text: string) =>
    html`<li><a href="/dashboard/notices${path}"${name === current && html` aria-current="true"`}>${text}</a></li>`;
  return html`<nav class="tabs" aria-label="${notices.filter}"><ul>${tab('all', '', labels.all)}${tab('new', '?only=new', notices.onlyNew)}${tab('choices', '/choices', pushes.title)}${tab('chats', '/chats', chats.title)}</ul></nav>`;
}
