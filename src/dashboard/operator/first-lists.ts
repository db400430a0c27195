import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type AtLimit, selectAtLimit } from '../../business/merchants/at-limit.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import type { Texts } from '../../texts/languages.ts';
import { postButton } from '../frame/controls.ts';
import { buttonColumn, card, moment, rupees, table } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { addressOf } from './change-business.ts';
import { type Awaiting, selectAwaiting } from './queries/operator.ts';

const mostListed = 50;

/** Before all businesses those that stand before a wall: at their limit, or waiting for an operator's word. */
export async function firstLists(world: World, { texts, now }: Visit): Promise<Html> {
  const [full, awaiting] = await Promise.all([
    fromAll(world, ({ sql }) => selectAtLimit(sql, now, { limit: mostListed, untold: false })),
    fromAll(world, ({ sql }) => selectAwaiting(sql, mostListed)),
  ]);
  return html`${full.length > 0 && limitCard(texts, full)}${awaiting.length > 0 && awaitingCard(texts, awaiting)}`;
}

const named = (row: { merchant_id: number; name: string }) =>
  html`<a href="${addressOf(row)}"><bdi>${row.name}</bdi></a>`;

function limitCard({ operatorPlatform: words, labels }: Texts, rows: readonly AtLimit[]): Html {
  const columns = [
    { title: labels.business, cell: named },
    { title: labels.plan, cell: (row: AtLimit) => row.plan },
    {
      title: words.used,
      number: true,
      cell: (row: AtLimit) =>
        row.monthly_limit_paise === null
          ? labels.noLimit
          : `${Math.floor((row.collected_paise * 100) / row.monthly_limit_paise)} %`,
    },
    { title: labels.thisMonth, number: true, cell: (row: AtLimit) => rupees(row.collected_paise) },
    { title: words.pausedAccounts, number: true, cell: (row: AtLimit) => row.paused },
  ];
  return card(html`<p class="quiet">${words.atLimitText}</p>${table(words.atLimit, rows, columns)}`, {
    title: words.atLimit,
  });
}

function awaitingCard({ operatorPlatform: words, labels, operator }: Texts, rows: readonly Awaiting[]): Html {
  const columns = [
    { title: labels.business, cell: named },
    { title: operator.owner, cell: (row: Awaiting) => row.owner },
    { title: labels.since, cell: (row: Awaiting) => moment(row.created_at, 'date') },
    buttonColumn(words.approve, (row: Awaiting) => postButton(`${addressOf(row)}/approve`, words.approve)),
  ];
  return card(html`<p class="quiet">${words.waitingText}</p>${table(words.waiting, rows, columns)}`, {
    title: words.waiting,
  });
}
