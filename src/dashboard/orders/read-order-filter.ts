import { type OrderStatus, orderStatuses } from '../../orders/order.ts';
import { accountIdForm, readMerchantOrderId } from '../../orders/read-create-body.ts';
import { readDay } from '../frame/indian-days.ts';
import { withQuery } from '../frame/with-query.ts';
import type { OrderFilter } from './queries.ts';

export const noFilter: OrderFilter = {
  status: null,
  search: null,
  from: null,
  to: null,
  accountId: null,
};

/** Reads the filter from the address. A value that makes no sense filters nothing, and `ignored` names it. */
export function readOrderFilter(query: Record<string, unknown>): {
  filter: OrderFilter;
  ignored: string[];
} {
  const ignored: string[] = [];
  const read = <T>(name: string, parse: (text: string) => T | null): T | null => {
    const given = query[name];
    if (typeof given !== 'string' || given.trim() === '') return null;
    const value = parse(given.trim());
    if (value === null) ignored.push(name);
    return value;
  };
  const filter: OrderFilter = {
    status: read('status', text =>
      orderStatuses.includes(text as OrderStatus) ? (text as OrderStatus) : null,
    ),
    // At most as long as the longest id, and storable in PostgreSQL.
    search: read('q', text => {
      const id = readMerchantOrderId(text);
      return 'value' in id ? id.value : null;
    }),
    from: read('from', readDay),
    to: read('to', readDay),
    accountId: read('account', text => (accountIdForm.test(text) ? text : null)),
  };
  return { filter, ignored };
}

/** The same filter as a query string, for links to further pages, the CSV and the live list. */
export function writeOrderFilter(filter: OrderFilter, more: Record<string, string> = {}): string {
  const { status, search, from, to, accountId } = filter;
  return withQuery('', { status, q: search, from, to, account: accountId, ...more });
}
