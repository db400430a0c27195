import { bankNames } from '../../alerts/banks/bank-support.ts';
import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import { readReference } from '../../base/read-reference.ts';
import type { World } from '../../base/world.ts';
import { type AtLimit, selectAtLimit } from '../../business/merchants/notify-of-limits.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import { merchantOfToken } from '../../orders/order.ts';
import type { Texts } from '../../texts/languages.ts';
import { tabs } from '../frame/choosing.ts';
import { postButton } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { badge, emptyState, moment, pagination, screen } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, get, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { money, rowList } from '../frame/rows.ts';
import { withQuery } from '../frame/with-query.ts';
import {
  addressOf,
  askDisabling,
  disable,
  enable,
  home,
  inItsCell,
  merchantLink,
  ofMerchant,
  section,
} from './change-merchant.ts';
import { alarmsOfAll } from './find-alarms.ts';
import {
  addNote,
  approve,
  beginSupportView,
  changePlan,
  endSupportView,
  merchantRows,
  showMerchant,
} from './merchant-page.ts';
import { planRoutesOfOperator } from './plans.ts';
import { type Awaiting, selectAwaiting, selectMerchants, selectTroubled } from './queries/operator.ts';
import { selectHits, selectLinkHit } from './queries/support.ts';
import { salesRoutes } from './sales.ts';
import { sayAlarm, showHealth } from './show-health.ts';
import { watchRoutes } from './watch.ts';
import { workshopRoutes } from './workshop/routes.ts';

const perPage = 50;
const change = reauth('operator');

export const operatorRoutes = [
  get(home, 'operator', showMerchants),
  get(`${home}/health`, 'operator', showHealth),
  get(`${home}/businesses/:merchant_id`, 'operator', ofMerchant(showMerchant)),
  get(`${home}/businesses/:merchant_id/disable`, change, ofMerchant(askDisabling)),
  post(`${home}/businesses/:merchant_id/disable`, change, ofMerchant(disable)),
  post(`${home}/businesses/:merchant_id/enable`, change, ofMerchant(enable)),
  post(`${home}/businesses/:merchant_id/plan`, change, ofMerchant(changePlan)),
  post(`${home}/businesses/:merchant_id/approve`, change, ofMerchant(approve)),
  post(`${home}/businesses/:merchant_id/notes`, change, ofMerchant(addNote)),
  post(`${home}/businesses/:merchant_id/look`, change, ofMerchant(beginSupportView)),
  post('/dashboard/look/end', 'look.end', endSupportView),
  post(`${home}/find`, 'operator', findOwner),
  ...watchRoutes,
  ...planRoutesOfOperator,
  ...salesRoutes,
  ...workshopRoutes,
].map(inItsCell);

async function showMerchants(world: World, visit: Visit): Promise<Answer> {
  const { texts, query, now } = visit;
  const words = texts.operator;
  const search = query.text('search').slice(0, 200) || null;
  const after = readPosition(query.text('after'));
  const needsHelp = query.text('view') === 'help';
  const [alarms, waiting, found] = await Promise.all([
    alarmsOfAll(world, now),
    selectWaiting(world, now),
    needsHelp
      ? []
      : fromAll(world, ({ sql }) => selectMerchants(sql, { search, after, limit: perPage + 1, now })),
  ]);
  const rows = found.sort(
    (a, b) => b.created_at.getTime() - a.created_at.getTime() || b.merchant_id - a.merchant_id,
  );
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const address = (position: string | null) => withQuery(home, { search, after: position });
  const older =
    rows.length > perPage && last ? address(`${last.created_at.getTime()}.${last.merchant_id}`) : null;
  const nothing =
    search === null
      ? emptyState(words.emptyTitle, words.emptyText, undefined, 'shop')
      : emptyState(words.noneTitle, words.noneText, undefined, 'search');
  const count = waiting.full.length + waiting.awaiting.length + waiting.troubled.length;
  return screen(texts.operator.navigation.operator)`
${alarms[0] && html`<a class="band warn" href="${home}/health">${icon('warning')}<p><strong>${sayAlarm(texts, alarms[0], bankNames(world))}</strong>${alarms.length > 1 && ` ${words.moreAlarms({ count: alarms.length - 1 })}`}</p>${icon('chevron', true)}</a>`}
${findForm(texts, search ?? '')}
${tabs(texts.operator.navigation.operator, [
  { href: home, text: texts.labels.all, current: !needsHelp },
  { href: `${home}?view=help`, text: words.needHelp, current: needsHelp, count },
])}
${needsHelp ? helpLists(texts, waiting, now) : shown.length === 0 ? nothing : merchantRows(texts, shown, now)}
${pagination(texts, { newer: after === null ? null : address(null), older })}`;
}

function readPosition(text: string): { createdAt: Date; merchantId: number } | null {
  const [, time, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return time && id ? { createdAt: new Date(Number(time)), merchantId: Number(id) } : null;
}

const longestText = 300;
/** Also matches a link's token. */
const payToken = /(?<![\w-])[\w-]{30}(?![\w-])/;

/** One field for everything. It is a POST, because a customer's reference must not be in an address (R10). */
function findForm({ operatorPlatform: words }: Texts, value: string): Html {
  return html`<form class="search" role="search" method="post" action="${home}/find">${icon('search', true)}<input type="search" name="text" value="${value}" placeholder="${words.findWhat}" aria-label="${words.find}" maxlength="${longestText}" enterkeyhint="search"></form>`;
}

/**
 * Finds a business behind a customer's or a bank's question, else by its name. Looking into payments needs a recent
 * confirmation, and is recorded.
 */
async function findOwner(world: World, visit: Visit): Promise<Answer> {
  const { texts, form } = visit;
  const words = texts.operatorPlatform;
  const text = form.text('text').slice(0, longestText);
  if (text === '') return redirect(home);
  const token = payToken.exec(text)?.[0];
  const merchantId = token === undefined ? null : merchantOfToken(token);
  const reference = readReference(text);
  const one = { search: text.slice(0, 200), after: null, limit: 1, now: visit.now };
  const isName = token === undefined && reference === null;
  const named = isName ? await fromAll(world, ({ sql }) => selectMerchants(sql, one)) : [];
  const names = redirect(withQuery(home, { search: one.search }));
  if (!visit.session.confirmed)
    return named.length > 0 ? names : redirect(`/dashboard/confirm?next=${encodeURIComponent(home)}`);
  const kind = token !== undefined ? 'page' : reference ? 'reference' : text.includes('@') ? 'vpa' : 'order';
  const found = await fromAll(world, ({ sql }) =>
    merchantId === null ? selectHits(sql, text, reference ?? '') : selectLinkHit(sql, merchantId, token!),
  );
  await world.sql.begin(async tx => {
    const hits = found.map(({ merchant_id, kind }) => `${words.hits[kind]}: ${merchant_id}`).join(', ');
    // Never records the search text: it is a customer's reference or UPI ID, or a payment page's secret address (R10).
    const details = { kind: words.hits[kind], count: String(found.length), hits };
    await recordChange(tx, visit, { action: 'operator.find', subject: '', details });
  });
  if (found.length === 0 && named.length > 0) return names;
  const rows = found.map(hit => ({
    href: addressOf(hit),
    who: html`<bdi>${hit.name}</bdi>`,
    what: words.hits[hit.kind],
  }));
  const back = { href: home, text: texts.operator.navigation.operator };
  return screen(words.find, { back })`
${findForm(texts, text)}
<p class="quiet">${words.findHint}</p>
${found.length === 0 ? html`<p role="status">${words.findNone}</p>` : rowList(rows, { label: words.find })}`;
}

const mostListed = 50;

/** Businesses that somebody should look at: at their limit, waiting for approval, unreachable. */
async function selectWaiting(world: World, now: Date) {
  const troubledSince = { seenAfter: later(now, -blindAfter), silentSince: later(now, -silentAfter) };
  const [full, awaiting, troubled] = await Promise.all([
    fromAll(world, ({ sql }) => selectAtLimit(sql, now, { limit: mostListed, unnotified: false })),
    fromAll(world, ({ sql }) => selectAwaiting(sql, mostListed)),
    fromAll(world, ({ sql }) => selectTroubled(sql, { now, ...troubledSince, limit: mostListed })),
  ]);
  return { full, awaiting, troubled };
}

type Waiting = Awaited<ReturnType<typeof selectWaiting>>;

function helpLists(texts: Texts, { full, awaiting, troubled }: Waiting, now: Date): Html {
  const words = texts.operator;
  const isCalm = full.length + awaiting.length + troubled.length === 0;
  if (isCalm) return emptyState(words.troubledNone, words.troubledNoneText, undefined, 'tick');
  return html`${awaiting.length > 0 && awaitingCard(texts, awaiting)}${full.length > 0 && limitCard(texts, full)}
${troubled.length > 0 && section(words.troubled)`${merchantRows(texts, troubled, now)}`}`;
}

function limitCard({ operatorPlatform: words, labels }: Texts, rows: readonly AtLimit[]): Html {
  const used = ({ monthly_limit_paise: limit, collected_paise: collected }: AtLimit) =>
    limit === null ? labels.noLimit : `${Math.floor((collected * 100) / limit)} %`;
  return section(words.atLimit)`<p class="quiet">${words.atLimitText}</p>${rowList(
    rows.map(row => ({
      href: addressOf(row),
      who: html`<bdi>${row.name}</bdi>`,
      what: row.plan,
      sum: money(row.collected_paise),
      state: badge(
        row.paused > 0 ? `${used(row)}, ${words.pausedAccounts}: ${row.paused}` : used(row),
        'warn',
      ),
    })),
  )}`;
}

function awaitingCard({ operatorPlatform: words }: Texts, rows: readonly Awaiting[]): Html {
  return section(words.waiting)`<p class="quiet">${words.waitingText}</p>${rowList(
    rows.map(row => ({
      who: merchantLink(row),
      what: row.owner,
      when: moment(row.created_at, 'date'),
      state: postButton(`${addressOf(row)}/approve`, words.approve),
    })),
  )}`;
}
