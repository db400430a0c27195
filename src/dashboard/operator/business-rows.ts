import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { badge, moment } from '../frame/parts.ts';
import { letterFace, money, rowList } from '../frame/rows.ts';
import { addressOf } from './change-business.ts';
import type { BusinessRow } from './queries/operator.ts';

/** Each business with its plan, its last read mail, its month's sum, and the first thing that is wrong with it. */
export function businessRows(texts: Texts, businesses: readonly BusinessRow[], now: Date): Html {
  const rows = businesses.map(row => ({
    href: addressOf(row),
    face: letterFace(row.name),
    who: html`<bdi>${row.name}</bdi>`,
    what: row.plan,
    when: moment(row.created_at, 'date'),
    extra: row.last_good_poll && html`${texts.labels.lastLooked} ${moment(row.last_good_poll)}`,
    sum: money(row.collected_paise),
    state: stateOf(texts, row, now),
  }));
  return rowList(rows, { wide: true, label: texts.shell.navigation.operator });
}

function stateOf(texts: Texts, row: BusinessRow, now: Date): Html {
  if (row.deletion_requested_at || row.moved_at || row.disabled_at) return businessState(texts, row);
  const isFailing = row.failing_destinations + row.failed_events > 0;
  if (isFailing && isRead(row, now)) return badge(texts.operator.updatesFail, 'warn');
  return mailboxBadge(texts, row.mailbox === null ? row : { ...row, forward_to: null }, now);
}

export function businessState(texts: Texts, row: BusinessRow): Html {
  const words = texts.operator;
  if (row.deletion_requested_at) return badge(words.leaving, 'bad');
  if (row.moved_at) return badge(words.moved, 'bad');
  if (row.disabled_at)
    return badge(row.no_new_orders ? texts.operatorPlatform.noNewOrders : words.disabled, 'bad');
  return badge(words.open, 'good');
}

export function mailboxBadge(texts: Texts, row: BusinessRow, now: Date): Html {
  const words = texts.operator;
  const mailbox =
    row.mailbox !== null &&
    (isRead(row, now) ? badge(texts.labels.beingRead, 'good') : badge(texts.labels.outOfReach, 'bad'));
  const forwarding = row.forward_to !== null && forwardingBadge(texts, row, now);
  if (!mailbox && !forwarding) return badge(words.noMailbox, 'warn');
  return html`${mailbox} ${forwarding}`;
}

function forwardingBadge(texts: Texts, row: BusinessRow, now: Date): Html {
  const words = texts.operator;
  if (!row.forwarding_works) return badge(words.forwardedNew, 'warn');
  const isSilent = row.silent_since !== null && row.silent_since < later(now, -silentAfter);
  return isSilent ? badge(words.forwardedSilent, 'bad') : badge(words.forwarded, 'good');
}

function isRead({ last_good_poll }: BusinessRow, now: Date): boolean {
  return last_good_poll !== null && last_good_poll >= later(now, -blindAfter);
}
