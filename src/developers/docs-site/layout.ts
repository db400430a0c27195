import { type Html, html } from '../../base/http/html.ts';
import type { Heading } from './render-markdown.ts';

export const referencePath = '/docs/api';

/** The frame around a page is always in English. */
type Spoken = { language?: 'en' | 'hi' };
export type MenuEntry = Spoken & { section: string; path: string; title: string };
export type SiteFiles = { style: string; script: string; icon: string; search: string };
export type SitePage = Spoken & { path: string; title: string; body: Html; headings: readonly Heading[] };

/** The frame around every page. It works without script; script adds search, tabs and copying. */
export function layout(page: SitePage, menu: readonly MenuEntry[], files: SiteFiles): Html {
  const contents = page.headings.filter(({ level }) => level === 2 || level === 3);
  const at = menu.findIndex(({ path }) => path === page.path);
  return html`<!doctype html>
<html lang="${page.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === 'Milaan' ? 'Milaan documentation' : `${page.title} · Milaan`}</title>
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
<body data-search="${files.search}">
<a class="skip" lang="en" href="#content">Skip to the text</a>
<header class="top" lang="en"><a class="brand" href="/docs"><img src="${files.icon}" alt="" width="24" height="24">Milaan <span>docs</span></a>
<search class="search" hidden><label><span class="unseen">Search the documentation</span>
<input type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="found"></label>
<div id="found" class="found" aria-live="polite" hidden></div></search></header>
<div class="columns">
<nav class="menu" lang="en" aria-label="Pages"><details open><summary>Pages</summary>${menuHtml(menu, page.path)}</details></nav>
<main id="content" tabindex="-1">
${contents.length > 2 && html`<details class="contents"><summary>On this page</summary>${contentsHtml(contents)}</details>`}
${page.body}
<nav class="next" lang="en" aria-label="Next and previous page">${neighbour('Previous', menu[at - 1])}${neighbour('Next', at >= 0 ? menu[at + 1] : undefined)}</nav>
</main>
<aside class="aside" aria-label="On this page">${contents.length > 2 && contentsHtml(contents)}</aside>
</div>
</body>
</html>
`;
}

function menuHtml(menu: readonly MenuEntry[], current: string): Html {
  const sections = Map.groupBy(menu, entry => entry.section);
  return html`${[...sections].map(
    ([section, entries]) =>
      html`<h2>${section}</h2><ul>${entries.map(
        ({ path, title, language = 'en' }) =>
          html`<li><a href="${path}"${language !== 'en' && html` lang="${language}"`}${path === current && html` aria-current="page"`}>${title}</a></li>`,
      )}</ul>`,
  )}`;
}

function contentsHtml(headings: readonly Heading[]): Html {
  return html`<ul>${headings.map(
    ({ level, id, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
  )}</ul>`;
}

function neighbour(word: string, entry: MenuEntry | undefined): Html | null {
  return entry ? html`<a href="${entry.path}"><small>${word}</small> ${entry.title}</a>` : null;
}
