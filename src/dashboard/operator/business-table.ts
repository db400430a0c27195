import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { later } from '../../base/clock.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { badge, type Column, moment, rupees, table } from '../frame/parts.ts';
import { businessLink } from './change-business.ts';
import type { BusinessRow } from './queries/operator.ts';

export function businessTable(texts: Texts, businesses: readonly BusinessRow[], now: Date): Html {
  const words = texts.operator;
  const columns: Column<BusinessRow>[] = [
    { title: texts.labels.business, cell: businessLink },
    { title: texts.labels.state, cell: row => businessState(texts, row) },
    { title: texts.labels.plan, cell: row => row.plan },
    { title: texts.labels.thisMonth, cell: row => rupees(row.collected_paise), number: true },
    { title: words.mailbox, cell: row => mailboxBadge(texts, row, now) },
    {
      title: texts.shell.navigation.webhooks,
      cell: row =>
        row.failing_destinations + row.failed_events > 0 &&
        badge(words.webhooksText({ failing: row.failing_destinations, failed: row.failed_events }), 'bad'),
    },
    { title: texts.labels.since, cell: row => moment(row.created_at, 'date') },
  ];
  return table(texts.shell.navigation.operator, businesses, columns);
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
    (isBlind(row, now) ? badge(texts.labels.outOfReach, 'bad') : badge(texts.labels.beingRead, 'good'));
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

function isBlind({ last_good_poll }: BusinessRow, now: Date): boolean {
  return last_good_poll === null || last_good_poll < later(now, -blindAfter);
}
