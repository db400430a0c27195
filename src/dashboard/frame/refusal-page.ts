import { html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { card } from './parts.ts';
import type { Answer } from './route.ts';

/** A refusal as people read it, with a way on. `detail` is a request's id, or the megabytes that a file may have. */
export function refusalPage({ shell }: Texts, refusal: Refusal, detail = ''): Answer & { kind: 'page' } {
  const [status, title, text] = refusals(shell, detail)[refusal];
  const body = html`<h1>${title}</h1>${card(html`<p>${text}</p><p><a href="/dashboard">${shell.goHome}</a></p>`)}`;
  return { kind: 'page', status, title, body };
}

type Refusal = keyof ReturnType<typeof refusals>;

function refusals(shell: Texts['shell'], detail: string) {
  return {
    not_found: [404, shell.notFoundTitle, shell.notFoundText],
    forbidden: [403, shell.forbiddenTitle, shell.forbiddenText],
    looking: [403, shell.lookingTitle, shell.lookingText],
    closed: [403, shell.closedTitle, shell.closedText],
    other_site: [403, shell.otherSiteTitle, shell.otherSiteText],
    bad_form: [400, shell.badFormTitle, shell.badFormText],
    too_large: [413, shell.badFormTitle, shell.tooLargeText({ megabytes: detail })],
    unavailable: [503, shell.unavailableTitle, shell.unavailableText],
    broken: [500, shell.brokenTitle, shell.brokenText({ requestId: detail })],
  } as const;
}
