import { type Html, html } from '../../base/http/html.ts';
import { plainLink } from './controls.ts';
import type { Visit } from './route.ts';

/** The form of a dangerous change, or the way to the proof that comes first: nobody types everything twice. */
export function whenFresh({ session, texts, url }: Visit, form: () => Html): Html {
  if (session.fresh) return form();
  const { text, confirm } = texts.shell.fresh;
  const next = encodeURIComponent(url);
  return html`<p>${text}</p><div class="actions">${plainLink(`/dashboard/confirm?next=${next}`, confirm)}</div>`;
}
