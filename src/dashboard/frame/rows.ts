import { type Html, type HtmlValue, html } from '../../base/http/html.ts';
import { paise } from '../../base/money.ts';
import { formatAmount } from '../../orders/page/format-amount.ts';
import { type IconName, icon } from './icon.ts';
import type { Tone } from './parts.ts';

/** A person's letter, or an icon: amber (`ask`) if somebody must act, grey (`still`) if nothing moves. */
export type Face = { letter: string } | { icon: IconName; tone?: 'ask' | 'still' };

export type ListRow = {
  href?: string;
  face?: Face;
  who: HtmlValue;
  /** The purpose. It is cut first; sum, time and state never are. */
  what?: HtmlValue;
  when?: HtmlValue;
  /** Only shown on a desktop. */
  extra?: HtmlValue;
  sum?: HtmlValue;
  state?: HtmlValue;
};

/** Leads to a page, with a grey icon. */
export function pageRow(href: string, icon: IconName, who: HtmlValue, what: HtmlValue): ListRow {
  return { href, face: { icon, tone: 'still' }, who, what };
}

/** Rows of two lines; the whole row is the link. A `wide` list has rows of one line on a desktop. */
export function rowList(
  rows: readonly ListRow[],
  { wide = false, label }: { wide?: boolean; label?: string } = {},
): Html {
  return html`<ul class="rows${wide && ' wide-list'}"${label !== undefined && html` aria-label="${label}"`}>${rows.map(row => html`<li>${rowOf(row)}</li>`)}</ul>`;
}

function rowOf({ href, face, who, what, when, extra, sum, state }: ListRow): Html {
  const [isShort, hasSum] = [isMissing(what) && isMissing(when), !isMissing(sum)];
  const inside = html`${face && shownFace(face)}<span class="who cut">${who}</span>${hasSum && html`<span class="sum">${sum}</span>`}${
    !isShort &&
    html`<span class="what">${!isMissing(what) && html`<span class="cut">${what}</span>`}${!isMissing(when) && html`<span>${!isMissing(what) && '· '}${when}</span>`}</span>`
  }${!isMissing(extra) && html`<span class="extra cut">${extra}</span>`}${hasSum ? state : html`<span class="go">${state}${href !== undefined && icon('chevron', true)}</span>`}`;
  const kind = html`class="row${face === undefined && ' faceless'}${isShort && ' short'}"`;
  return href === undefined
    ? html`<div ${kind}>${inside}</div>`
    : html`<a ${kind} href="${href}">${inside}</a>`;
}

function isMissing(value: HtmlValue): boolean {
  return value === undefined || value === null || value === false || value === '';
}

export function shownFace(face: Face): Html {
  if ('letter' in face) return html`<span class="face" aria-hidden="true">${face.letter}</span>`;
  return html`<span class="face${face.tone && ` ${face.tone}`}">${icon(face.icon)}</span>`;
}

export function letterFace(name: string | null): Face {
  const letter = /[\p{L}\p{N}]\p{M}*/u.exec(name ?? '')?.[0];
  return letter === undefined ? { icon: 'account', tone: 'still' } : { letter: letter.toUpperCase() };
}

export function dayHeading(name: string, total?: HtmlValue): Html {
  return html`<div class="day"><h2>${name}</h2>${!isMissing(total) && html`<span>${total}</span>`}</div>`;
}

/** A state as a dot and a word. The dot is `open` while the state can still change by itself. */
export function state(text: HtmlValue, tone: Tone, { open = false } = {}): Html {
  return html`<span class="state ${tone}${open && ' open'}">${text}</span>`;
}

export function money(value: number): Html {
  const { rupees, paise: rest } = formatAmount(paise(value));
  return html`<span class="money">₹${rupees}<span class="paise">.${rest}</span></span>`;
}
