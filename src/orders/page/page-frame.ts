import { type Html, html } from '../../base/http/html.ts';
import type { Operator } from '../../base/settings/config-operator.ts';
import type { Contact } from '../../business/accounts/queries/businesses.ts';
import { chooseTag } from '../../texts/choose-language.ts';
import { type CustomerTexts, customerTexts } from '../../texts/customer-texts.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { type CustomerLanguage, customerTags, languageTags } from '../../texts/language-tags.ts';
import type { Phone } from './app-links.ts';
import type { PageOrder } from './queries.ts';
import { colourAddress, logoAddress, type ShopBrand } from './shop-brand.ts';

/** What the page says, the language it says it in, and those that the customer may choose. */
export type PageTexts = CustomerTexts['page'] & {
  tag: CustomerLanguage;
  offered: readonly CustomerLanguage[];
};

export function pageTexts(tag: CustomerLanguage, offered: readonly CustomerLanguage[] = languageTags) {
  return { ...customerTexts(tag).page, tag, offered };
}

type Asking = { query: Record<string, unknown>; headers: { 'accept-language'?: string | undefined } };

/** By the customer's word and their browser's, among what the shop switched on. Where no shop is known their word counts. */
export function chooseTexts({ query, headers }: Asking, languages = [String(query['lang'])]): PageTexts {
  const everywhere: readonly string[] = languageTags;
  const offered = customerTags.filter(tag => everywhere.includes(tag) || languages.includes(tag));
  return pageTexts(chooseTag(offered, query['lang'], headers['accept-language']), offered);
}

/** The addresses of the page's own files, with the hash of their content; and who runs the installation, at its foot. */
export type PageFiles = { script: string; style: string; icon: string; operator?: Operator };

type Frame = {
  texts: PageTexts;
  files: PageFiles;
  title: string;
  body: Html;
  /** The content of a meta refresh for browsers without script. */
  refresh: string | null;
  script: boolean;
  /** Where the shop says how it uses the customer's data. */
  notice?: string;
  shop?: SharedShop;
  /** Where a customer tells the operator that something is wrong. */
  report?: string;
};

/**
 * Whose page it is, and what a chat shows for a link to it: a chat program reads the page once and shows everybody what
 * it found. So the page says what is asked for, and nothing of what became of it.
 */
type SharedShop = { brand: ShopBrand; title: string; about: string; baseUrl: string };

export function frame({ texts, files, title, body, refresh, script, notice, shop, report }: Frame): Html {
  const colour = shop ? colourAddress(shop.brand) : null;
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
<link rel="icon" href="${files.icon}">
<link rel="stylesheet" href="${files.style}">
${colour !== null && html`<link rel="stylesheet" href="${colour}">`}
${shop && openGraph(shop)}
${script && html`<script src="${files.script}" defer></script>`}
${refresh !== null && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
</head>
<body>
<nav aria-label="${texts.offered.map(tag => customerTexts(tag).page.languageMenu).join(' / ')}">${texts.offered.map(tag => languageLink(tag, texts.tag))}</nav>
${body}
<footer><p>${texts.safety}</p>${lastLine(texts, files.operator, report, notice)}</footer>
</body>
</html>
`;
}

/** Who runs this, how the shop uses data, and where to tell that something is wrong. */
function lastLine(
  texts: PageTexts,
  operator: Operator | undefined,
  report: string | undefined,
  notice: string | undefined,
): Html | null {
  const { name, mail, termsUrl } = operator ?? {};
  const who = name ?? mail;
  const at = mail ? `mailto:${mail}` : termsUrl;
  const run = who && insertFacts(texts.report.runBy, { operator: who });
  const parts = [
    notice !== undefined && html`<a href="${notice}?lang=${texts.tag}">${texts.notice.link}</a>`,
    run && (at ? html`<a href="${at}">${run}</a>` : html`${run}`),
    report !== undefined && html`<a href="${report}">${texts.report.link}</a>`,
  ].filter(part => part instanceof Object);
  if (parts.length === 0) return null;
  return html`<p>${parts.map((part, n) => (n === 0 ? part : html` · ${part}`))}</p>`;
}

function languageLink(tag: CustomerLanguage, current: CustomerLanguage): Html {
  const { language } = customerTexts(tag).page;
  return tag === current
    ? html`<span lang="${tag}" aria-current="true">${language}</span>`
    : html`<a href="?lang=${tag}" lang="${tag}" hreflang="${tag}">${language}</a>`;
}

function openGraph({ brand, title, about, baseUrl }: SharedShop): Html {
  const logo = logoAddress(brand);
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
${logo !== null && html`<meta property="og:image" content="${baseUrl}${logo}">`}`;
}

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

/** How to reach the shop, with what it is about where the way can carry it; null where the shop says nothing. */
export function contactWays(texts: PageTexts, contact: Contact, subject: string): Html | null {
  const { contact_phone: phone, contact_whatsapp: whatsapp, contact_email: email } = contact;
  const about = encodeURIComponent(subject);
  const ways = [
    phone !== null && way(texts.contactPhone, spaced(phone), `tel:${phone}`),
    whatsapp !== null &&
      way(texts.contactWhatsapp, spaced(whatsapp), `https://wa.me/${whatsapp.slice(1)}?text=${about}`),
    email !== null &&
      way(
        texts.contactEmail,
        email,
        `mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=${about}`,
      ),
  ].filter(shown => shown !== false);
  return ways.length === 0 ? null : html`<ul>${ways}</ul>`;
}

function way(name: string, shown: string, href: string): Html {
  return html`<li><a href="${href}" rel="noreferrer"><span>${name}</span> <bdi>${shown}</bdi></a></li>`;
}

/** An Indian number as people there write it. */
function spaced(number: string): string {
  return number.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3');
}

/** What the customer sees. The script moves between them by the same rule (`browser/page.ts`). */
export type PageState = 'pending' | 'paid' | 'expired' | 'late' | 'over' | 'failed' | 'review' | 'unpayable';

/** `unclear` is a text in which no reference was found. */
export type ReferenceForm = 'open' | 'sent' | { unclear: string };

export type PageView = {
  order: PageOrder;
  now: Date;
  texts: PageTexts;
  phone: Phone;
  /** Shown inside another app, such as Instagram. */
  insideApp: boolean;
  paymentUrl: string;
  /** The customer said that they have paid, or wants their receipt: the page waits instead of going back to the shop. */
  stays: boolean;
  /** The form for the reference of a payment that the page waits for: open, open again, or sent. */
  claim: ReferenceForm | null;
  /** An app button led back here because the app is not installed. */
  appMissing: boolean;
  blind: boolean;
  files: PageFiles;
  extra: Html | null;
};
