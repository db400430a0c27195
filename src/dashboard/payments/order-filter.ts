import type { Form } from '../../base/http/form.ts';
import { accountIdForm, readMerchantOrderId } from '../../orders/read-create-body.ts';
import { orderStatuses } from '../../orders/schemas.ts';
import { readDay } from '../frame/indian-days.ts';
import { withQuery } from '../frame/with-query.ts';
import type { OrderFilter } from './queries/orders.ts';

export const noFilter: OrderFilter = {
  status: null,
  search: null,
  from: null,
  to: null,
  accountId: null,
};

/** A value that makes no sense filters nothing, and `ignored` names it. */
export function readOrderFilter(query: Form): { filter: OrderFilter; ignored: string[] } {
  const ignored: string[] = [];
  const parse = <T>(name: string, text: string, read: (text: string) => T | null | undefined): T | null => {
    if (text === '') return null;
    const value = read(text) ?? null;
    if (value === null) ignored.push(name);
    return value;
  };
  // The form sends a period as one field. Bookmarks and the API's docs have `from` and `to`.
  const [, from, to] = /^(\S{0,10})\.\.(\S{0,10})$/.exec(query.text('days')) ?? [];
  const day = (name: 'from' | 'to', chosen = '') =>
    parse(name, query.has('days') ? chosen : query.text(name), readDay);
  const filter: OrderFilter = {
    status: parse('status', query.text('status'), text => orderStatuses.find(one => one === text)),
    // At most as long as the longest id, and storable in PostgreSQL.
    search: parse('q', query.text('q'), text => {
      const id = readMerchantOrderId(text);
      return 'value' in id ? id.value : null;
    }),
    from: day('from', from),
    to: day('to', to),
    accountId: parse('account', query.text('account'), text => (accountIdForm.test(text) ? text : null)),
  };
  return { filter, ignored };
}

export function writeOrderFilter(filter: OrderFilter, more: Record<string, string> = {}): string {
  const { status, search, from, to, accountId } = filter;
  return withQuery('', { status, q: search, from, to, account: accountId, ...more });
}
