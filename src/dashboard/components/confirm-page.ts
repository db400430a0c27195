import { type Html, html } from '../../http/html.ts';
import { type Answer, page } from '../route.ts';
import { card } from './card.ts';
import { postForm } from './form.ts';
import { pageHead } from './page-head.ts';

type Confirmation = {
  title: string;
  /** What will happen, each a sentence. */
  consequences: readonly string[];
  action: string;
  submit: string;
  cancel: { href: string; text: string };
  /** Further fields, such as a name to type. */
  fields?: readonly Html[];
  status?: number;
};

/** The page before a destructive action: what will happen, one red button, one way back. */
export function confirmPage({
  title,
  consequences,
  action,
  submit,
  cancel,
  fields = [],
  status = 200,
}: Confirmation): Answer {
  const list = html`<ul class="consequences">${consequences.map(sentence => html`<li>${sentence}</li>`)}</ul>`;
  const form = postForm({ action, fields, submit, danger: true, cancel });
  return page({ title, status, body: html`${pageHead(title)}${card(html`${list}${form}`)}` });
}
