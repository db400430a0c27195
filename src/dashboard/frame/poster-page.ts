import { type Html, html, trusted } from '../../base/http/html.ts';
import { languages, type Texts } from '../../texts/languages.ts';
import { screen } from './parts.ts';
import type { Answer, Visit } from './route.ts';

/** How many copies one sheet has. */
const copies = { a4: 1, a5: 1, stickers: 4, tent: 2 } as const;
type Size = keyof typeof copies;
const sizes = Object.keys(copies) as Size[];

type Poster = {
  title: string;
  back: string;
  /** When to print this poster and not the other one. */
  which: string;
  about?: Html;
  qr: string;
  qrName: string;
  /** The customer's instructions in one language; every language is printed. */
  words: (texts: Texts) => Html;
  below: Html;
};

/** A sheet to print in a chosen size, with the shop's name, a QR code and instructions. */
export function posterPage({ texts, query, business }: Visit, poster: Poster): Answer {
  const { posters, shell, counter } = texts;
  const size = sizes.find(one => one === query.text('size')) ?? 'a4';
  const copy = (at: number) => html`<div class="poster"${at > 0 && html` aria-hidden="true"`}>
<div class="poster-head"><p class="poster-shop"><bdi>${business.name}</bdi></p>${poster.about}</div>
<div class="poster-qr" role="img" aria-label="${poster.qrName}">${trusted(poster.qr)}</div>
<div class="poster-words">${languages.map(language => html`<div lang="${language.tag}">${poster.words(language)}</div>`)}</div>
<p class="poster-below">${poster.below}</p></div>`;
  const choice = (one: Size) =>
    html`<li><a href="?size=${one}"${one === size && html` aria-current="page"`}>${posters.sizes[one]}</a></li>`;
  return screen(poster.title, { back: { href: poster.back, text: shell.back } })`
<div class="stack no-print"><p>${poster.which}</p>
<nav class="tabs" aria-label="${posters.size}"><ul>${sizes.map(choice)}</ul></nav>
<p class="quiet">${posters.hints[size]}</p>
<div class="actions"><button type="button" class="button" data-print hidden>${counter.print}</button></div></div>
<div class="sheet ${size}">${Array.from({ length: copies[size] }, (_, at) => copy(at))}</div>`;
}
