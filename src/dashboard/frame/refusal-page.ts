import { html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { card } from './parts.ts';
import type { Answer } from './route.ts';

export type Refusal =
  | 'not_found'
  | 'forbidden'
  | 'closed'
  | 'other_site'
  | 'bad_form'
  | 'too_large'
  | 'unavailable'
  | 'broken';

const statuses: Record<Refusal, number> = {
  not_found: 404,
  forbidden: 403,
  closed: 403,
  other_site: 403,
  bad_form: 400,
  too_large: 413,
  unavailable: 503,
  broken: 500,
};

/** A refusal as people read it, with a way on. `detail` is a request's id, or the megabytes that a file may have. */
export function refusalPage({ shell }: Texts, refusal: Refusal, detail = ''): Answer & { kind: 'page' } {
  const words: Record<Refusal, [title: string, text: string]> = {
    not_found: [shell.notFoundTitle, shell.notFoundText],
    forbidden: [shell.forbiddenTitle, shell.forbiddenText],
    closed: [shell.closedTitle, shell.closedText],
    other_site: [shell.otherSiteTitle, shell.otherSiteText],
    bad_form: [shell.badFormTitle, shell.badFormText],
    too_large: [shell.badFormTitle, shell.tooLargeText(detail)],
    unavailable: [shell.unavailableTitle, shell.unavailableText],
    broken: [shell.brokenTitle, shell.brokenText(detail)],
  };
  const [title, text] = words[refusal];
  const body = html`<h1>${title}</h1>${card(html`<p>${text}</p><p><a href="/dashboard">${shell.goHome}</a></p>`)}`;
  return { kind: 'page', status: statuses[refusal], title, body };
}
