import { type Html, html } from '../../base/http/html.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { colourAddress, logoAddress, type ShopLook } from './shop-look.ts';

/** What the page says, and the language it says it in. */
export type PageTexts = Texts['page'] & Pick<Texts, 'tag' | 'language'>;

export function pageTexts({ page, tag, language }: Texts): PageTexts {
  return { ...page, tag, language };
}

/** The addresses of the page's own files, with the hash of their content. */
export type PageFiles = { script: string; style: string; icon: string };

type Frame = {
  texts: PageTexts;
  files: PageFiles;
  title: string;
  body: Html;
  /** The content of a meta refresh for browsers without script. */
  refresh: string | null;
  script: boolean;
  shop?: SharedShop;
};

/**
 * Whose page it is, and what a chat shows for a link to it: a chat program reads the page once and shows everybody what
 * it found. So the page says what is asked for, and nothing of what became of it.
 */
type SharedShop = { look: ShopLook; title: string; about: string; baseUrl: string };

export function frame({ texts, files, title, body, refresh, script, shop }: Frame): Html {
  const colour = shop ? colourAddress(shop.look) : null;
  return html`<!doctype html>
<html lang="${texts.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<meta name="description" content="${texts.safety}">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
${colour !== null && html`<link rel="stylesheet" href="${colour}">`}
${shop && openGraph(shop)}
${script && html`<script src="${files.script}" defer></script>`}
${refresh !== null && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
</head>
<body>
<nav aria-label="${languages.map(({ page }) => page.languageMenu).join(' / ')}">${languages.map(other => languageLink(other, texts))}</nav>
${body}
<footer><p>${texts.safety}</p></footer>
</body>
</html>
`;
}

function languageLink(other: Texts, current: PageTexts): Html {
  return other.tag === current.tag
    ? html`<span lang="${other.tag}" aria-current="true">${other.language}</span>`
    : html`<a href="?lang=${other.tag}" lang="${other.tag}" hreflang="${other.tag}">${other.language}</a>`;
}

function openGraph({ look, title, about, baseUrl }: SharedShop): Html {
  const logo = logoAddress(look);
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
${logo !== null && html`<meta property="og:image" content="${baseUrl}${logo}">`}`;
}
