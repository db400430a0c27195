import { type Html, html } from '../../base/http/html.ts';
import { pageHead } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { withQuery } from '../frame/with-query.ts';
import type { AlertPosition } from './queries/refused.ts';

export const moneyPath = '/dashboard/money';

const places = {
  toDo: moneyPath,
  takings: `${moneyPath}/takings`,
  handled: `${moneyPath}/handled`,
  refused: `${moneyPath}/refused`,
} as const;

export function moneyHead(
  { texts }: Visit,
  open: keyof typeof places,
  text: string,
  hasTakings = open === 'takings',
): Html {
  const words = texts.money;
  const link = (place: keyof typeof places) =>
    html`<li><a href="${places[place]}"${place === open && html` aria-current="page"`}>${words.tabs[place]}</a></li>`;
  return html`${pageHead(texts.shell.navigation.money, { text })}
<nav class="tabs" aria-label="${words.places}"><ul>${(Object.keys(places) as (keyof typeof places)[]).filter(place => place !== 'takings' || hasTakings).map(link)}</ul></nav>`;
}

/** One page of the rows, with links to its neighbours. The query reads one row more than a page holds. */
export function onePage<Row extends { alert_id: string }>(
  { query }: Visit,
  path: string,
  rows: readonly Row[],
  perPage: number,
  at: (row: Row) => Date,
  filter: Record<string, string | null> = {},
) {
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  const after = last && `${at(last).getTime()}.${last.alert_id}`;
  const links = {
    newer: readPosition(query.text('after')) === null ? null : withQuery(path, filter),
    older: after ? withQuery(path, { ...filter, after }) : null,
  };
  return { shown, links };
}

/** A position in a list of mails. It only narrows what this business may see anyway, so editing it gains nothing. */
export function readPosition(text: string): AlertPosition | null {
  const [, time, alertId] = /^(\d{1,15})\.([A-Za-z0-9_]{1,80})$/.exec(text) ?? [];
  return time && alertId ? { arrivedAt: new Date(Number(time)), alertId } : null;
}
