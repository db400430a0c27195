import { day, hour, minute, second } from '../../base/clock.ts';
import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { formatAmount } from '../../orders/page/format-amount.ts';
import type { Language, Texts } from '../../texts/languages.ts';
import { sayTime } from '../../texts/say-time.ts';
import { type IconName, icon } from './icon.ts';
import { type Answer, type Page, page } from './route.ts';

type PageHeadOptions = {
  /** One quiet line below. */ text?: string;
  actions?: Html;
  /** The page above this one: an arrow on a phone, the first part of the trail on a desktop. */
  back?: { href: string; text: string };
  /** On a phone the page's tabs or its first block say where the person is, so the title is only read aloud. */
  quietOnPhone?: boolean;
};

/** The page's only h1. On a desktop it is in the bar at the top. */
export function pageHead(title: string, { text, actions, back, quietOnPhone }: PageHeadOptions = {}): Html {
  const kind = back ? ' sub' : quietOnPhone && ' on-desktop';
  return html`<header class="page-head${kind}"><div class="page-title">${back && html`<a class="above" href="${back.href}" aria-label="${back.text}">${icon('back')}<span>${back.text}</span>${icon('chevron', true)}</a>`}<h1>${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div></header>
${text !== undefined && html`<p class="quiet">${text}</p>`}`;
}

/** A page that begins with its title: `screen(title, { text })` before a template. */
export function screen(title: string, options: PageHeadOptions & Omit<Page, 'title' | 'body'> = {}) {
  return (...template: Parameters<typeof html>): Answer =>
    page({ ...options, title, body: html`${pageHead(title, options)}${html(...template)}` });
}

type CardOptions = { title?: string; actions?: Html; id?: string };

export function card(body: Html, { title, actions, id }: CardOptions = {}): Html {
  return html`<section class="card"${id !== undefined && html` id="${id}"`}>
${(title !== undefined || actions) && html`<div class="card-head">${title !== undefined && html`<h2>${title}</h2>`}${actions && html`<div class="actions">${actions}</div>`}</div>`}
${body}
</section>`;
}

export function titledCard(options: CardOptions) {
  return (...template: Parameters<typeof html>): Html => card(html(...template), options);
}

/** One thing's names and values. A name without a value is left out. */
export function facts(rows: readonly (readonly [name: string, value: HtmlValue])[]): Html {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function pagination(
  { shell }: Texts,
  { newer, older }: { newer: string | null; older: string | null },
): Html | null {
  if (newer === null && older === null) return null;
  return html`<nav class="pagination" aria-label="${shell.newer} / ${shell.older}">
${newer !== null && html`<a class="button plain" rel="prev" href="${newer}">← ${shell.newer}</a>`}
${older !== null && html`<a class="button plain" rel="next" href="${older}">${shell.older} →</a>`}
</nav>`;
}

export function orderLink(orderId: string): Html {
  return html`<a class="id" href="/dashboard/orders/${orderId}">${orderId}</a>`;
}

/** An empty list says why it is empty, and what to do next. */
export function emptyState(
  title: Html | string,
  text: string,
  next?: Html | false,
  name: IconName = 'doc',
): Html {
  return html`<div class="empty"><span class="face still">${icon(name)}</span>${typeof title === 'string' ? html`<p><strong>${title}</strong></p>` : title}<p class="quiet">${text}</p>${next && html`<div class="actions">${next}</div>`}</div>`;
}

export function flashMessage(text: string | null): Html | null {
  return text === null ? null : html`<p class="flash" role="status">${text}</p>`;
}

/** A lasting note: something to know or to do. */
export function note(body: Html | string, tone: 'good' | 'warn' | 'bad' = 'warn'): Html {
  return html`<div class="note ${tone}">${body}</div>`;
}

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state in a word. The colour only repeats it. */
export function badge(text: string, tone: Tone = 'quiet'): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A time by India's clock, with its ISO form on hover. The script writes it in the page's language. */
export function moment(at: Date, show: 'full' | 'exact' | 'date' = 'full'): Html {
  // PostgreSQL has "infinity", which a moved business contains, and years that JavaScript cannot represent.
  if (!Number.isFinite(Number(at))) return html`–`;
  const iso = at.toISOString();
  return html`<time datetime="${iso}" title="${iso}" data-show="${show}">${sayTime('en', at, show)}</time>`;
}

const shapes = {
  /** Sun, 15 Nov */
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 15 Nov */
  short: { day: 'numeric', month: 'short' },
  /** Sunday, 15 November */
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  monthName: { month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** An Indian day when the year is clear. `at` is a moment, `yyyy-mm-dd` or `yyyy-mm`. */
export function dayText(language: Language, at: Date | string, shape: keyof typeof shapes): string {
  const format = new Intl.DateTimeFormat(`${language}-IN`, {
    ...shapes[shape],
    // Only English has common short names for months.
    ...('month' in shapes[shape] && language !== 'en' && { month: 'long' }),
    timeZone: typeof at === 'string' ? 'UTC' : 'Asia/Kolkata',
    numberingSystem: 'latn',
  });
  return format.format(typeof at === 'string' ? new Date(at) : at);
}

/** ₹12,34,567.89 */
export function rupees(value: number): string {
  return formatAmount(paise(value)).text;
}

/** ₹540 in a sentence, ₹540.50 if there are paise. */
export function shortSum(value: number): string {
  return rupees(value).replace('.00', '');
}

/** ₹12,34,567, for a scale, whose lines are whole rupees. */
export function roundRupees(value: number): string {
  return `₹${formatAmount(paise(Math.round(value))).rupees}`;
}

/** A duration in people's short form: 850 ms, 3.2 s, 4 min, 5 h, 2 days. */
export function timeSpan(texts: Texts, milliseconds: number): string {
  const words = texts.shell.units;
  const whole = (unit: number) => String(Math.round(milliseconds / unit));
  if (milliseconds < second) return `${Math.round(milliseconds)} ${words.ms}`;
  if (milliseconds < 10 * second) return `${(milliseconds / second).toFixed(1)} ${words.s}`;
  if (milliseconds < 2 * minute) return `${whole(second)} ${words.s}`;
  if (milliseconds < 2 * hour) return `${whole(minute)} ${words.min}`;
  if (milliseconds < 2 * day) return `${whole(hour)} ${words.h}`;
  return `${whole(day)} ${words.d}`;
}

/** 4:12 left; the script counts on. */
export function timeLeft({ payments }: Texts, left: number): Html {
  const [before, after] = payments.states.left({ time: '|' }).split('|');
  return html`${before}${clock(left)}${after}`;
}

export function clock(left: number): Html {
  const seconds = Math.max(0, Math.ceil(left / second));
  return html`<b class="ink" data-left="${left}">${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}</b>`;
}
