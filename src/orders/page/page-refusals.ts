import { type Html, html } from '../../base/http/html.ts';
import { frame, type PageFiles, type PageTexts } from './page-frame.ts';

/** An address that leads to no order, for people. */
export function renderNotFound(texts: PageTexts, files: PageFiles): Html {
  return plainPage(texts, files, texts.notFoundHeading, texts.notFoundText, null);
}

/** The database is away: nothing is lost, and the page tries again. */
export function renderUnavailable(texts: PageTexts, files: PageFiles): Html {
  const again = html`<p><a class="go" href="">${texts.tryAgain}</a></p>`;
  return plainPage(texts, files, texts.unavailableHeading, texts.unavailableText, again);
}

function plainPage(texts: PageTexts, files: PageFiles, heading: string, text: string, more: Html | null) {
  const body = html`
<main><section class="card outcome">
<svg class="mark" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M24 13v14M24 34v.5"/></svg>
<h1>${heading}</h1>
<p>${text}</p>
${more}
</section></main>`;
  return frame({ texts, files, title: heading, body, refresh: null, script: false });
}
