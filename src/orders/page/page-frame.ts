import { type Html, html } from '../../base/http/html.ts';
import type { Operator } from '../../base/settings/config-operator.ts';
import type { Contact } from '../../business/accounts/queries/merchants.ts';
import { chooseTag } from '../../texts/choose-language.ts';
import { type CustomerTexts, customerTexts } from '../../texts/customer-texts.ts';
import { insertFacts } from '../../texts/insert-facts.ts';
import { type CustomerLanguage, customerTags, languageTags } from '../../texts/language-tags.ts';
import type { Phone } from './app-links.ts';
import type { PageOrder } from './queries.ts';
import { colourAddress, logoAddress, type ShopBrand } from './shop-brand.ts';

/** The page's texts, their language, and the languages that the customer may choose. */
export type PageTexts = CustomerTexts['page'] & {
  tag: CustomerLanguage;
  offered: readonly CustomerLanguage[];
};

export function pageTexts(tag: CustomerLanguage, offered: readonly CustomerLanguage[] = languageTags) {
  return { ...customerTexts(tag).page, tag, offered };
}

type Asking = { query: Record<string, unknown>; headers: { 'accept-language'?: string | undefined } };

/** Chooses by the customer's word and browser, among the shop's languages. Without a known shop, their word counts. */
export function chooseTexts({ query, headers }: Asking, languages = [String(query['lang'])]): PageTexts {
  const everywhere: readonly string[] = languageTags;
  const offered = customerTags.filter(tag => everywhere.includes(tag) || languages.includes(tag));
  return pageTexts(chooseTag(offered, query['lang'], headers['accept-language']), offered);
}

/** The addresses of the page's own files, with their content's hash, and the installation's operator for the footer. */
export type PageFiles = { script: string; style: string; icon: string; operator?: Operator };

type Frame = {
  texts: PageTexts;
  files: PageFiles;
  title: string;
  body: Html;
  /** The content of a meta refresh for browsers without script. */
  refresh: string | null;
  script: boolean;
  /** The shop's notice about how it uses customer data. */
  notice?: string;
  shop?: SharedShop;
  /** The address for reports to the operator. */
  report?: string;
};

/**
 * The shop's name, and the preview that a chat shows for a link to the page. A chat reads the page once and shows the
 * result to everybody. So the preview says what is asked for, and nothing of the outcome.
 */
type SharedShop = { brand: ShopBrand; title: string; about: string; baseUrl: string };

export function frame(page: Frame): Html {
  const { texts, files, title, body, refresh, script, shop } = page;
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
<footer><p>${texts.safety}</p>${lastLine(page)}</footer>
</body>
</html>
`;
}

function lastLine({ texts, files, report, notice }: Frame): Html | null {
  const { name, mail, termsUrl } = files.operator ?? {};
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

export function renderNotFound(texts: PageTexts, files: PageFiles): Html {
  return plainPage(texts, files, texts.notFoundHeading, texts.notFoundText, null);
}

/** The database is unreachable. Nothing is lost, and the page tries again. */
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

/** How to reach the shop, with the subject if the way can carry it. Null if the shop gives no contact. */
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

/** The customer's view of an order. The script changes between the states by the same rule (`browser/page.ts`). */
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
  /** The customer said that they have paid, or wants their receipt, so the page does not go back to the shop. */
  stays: boolean;
  /** The form for the reference of a payment that is awaited: open, open again, or sent. */
  claim: ReferenceForm | null;
  /** An app button led back here because the app is not installed. */
  appMissing: boolean;
  blind: boolean;
  files: PageFiles;
  extra: Html | null;
};
