import type { Queryable } from '../../base/database/connect.ts';
import type { Query } from '../../base/database/query.ts';
import { optionalList } from '../optional-fields.ts';
import { statusAt } from '../sql-fragments.ts';

type Fragment = Query<Record<string, unknown>[]>;

const columns: Record<string, (sql: Queryable, now: Date) => Fragment> = {
  order_id: sql => cell(sql, sql`o.order_id`),
  merchant_order_id: sql => cell(sql, sql`o.merchant_order_id`),
  amount: sql => money(sql, sql`o.amount_paise`),
  payable_amount: sql => money(sql, sql`o.payable_paise`),
  status: statusAt,
  created_at: sql => time(sql, sql`o.created_at`),
  expires_at: sql => time(sql, sql`o.expires_at`),
  paid_at: sql => time(sql, sql`o.paid_at`),
  payment_account_id: sql => cell(sql, sql`o.account_id`),
  bank_reference: sql => cell(sql, sql`o.bank_reference`),
  customer_name: sql => cell(sql, sql`(o.customer ->> 'name')`),
  customer_email: sql => cell(sql, sql`(o.customer ->> 'email')`),
  received_amount: sql => money(sql, sql`o.received_paise`),
  purpose: sql => sql`(select ${cell(sql, sql`u.purpose`)} from order_purposes u
    where u.merchant_id = o.merchant_id and u.order_id = o.order_id)`,
  given_back_amount: sql => sql`(select ${money(sql, sql`sum(r.amount_paise)::bigint`)} from refunds r
    where r.merchant_id = o.merchant_id and r.order_id = o.order_id)`,
};

// At the end, because a month's archive may have begun without it.
for (const [name, { column }] of optionalList) columns[name] ??= sql => cell(sql, sql`${column(sql)}::text`);

export const csvHeader = `${Object.keys(columns).join(',')}\r\n`;

/**
 * One line per order of `orders o`, in the form of RFC 4180. The database writes it, because a million orders as
 * JavaScript objects would be gigabytes of garbage that the process never gives back.
 */
export function csvLine(sql: Queryable, now: Date): Fragment {
  return lineOf(
    sql,
    Object.values(columns).map(written => written(sql, now)),
  );
}

/** A null value becomes an empty cell and keeps its commas. */
export function lineOf(sql: Queryable, written: readonly Fragment[]): Fragment {
  const cells = written.map(one => sql`coalesce(${one}, '')`);
  return sql`${cells.reduce((line, one) => sql`${line} || ',' || ${one}`)} || chr(13) || chr(10)`;
}

/** The line of a payment without an order, from `takings t` and alert `e`. The payer is in the customer's column. */
const orderlessColumns: typeof columns = {
  status: sql => sql`'taking'`,
  created_at: sql => time(sql, sql`e.alert_time`),
  paid_at: sql => time(sql, sql`t.counted_at`),
  payment_account_id: sql => cell(sql, sql`t.account_id`),
  bank_reference: sql => cell(sql, sql`e.bank_reference`),
  customer_name: sql => cell(sql, sql`e.payer`),
  received_amount: sql => money(sql, sql`t.amount_paise`),
};

/** The same columns for money that came without an order. */
export function orderlessLine(sql: Queryable, now: Date): Fragment {
  return lineOf(
    sql,
    Object.keys(columns).map(title => orderlessColumns[title]?.(sql, now) ?? sql`''`),
  );
}

/** Most cells match this. */
const plain = '^[A-Za-z0-9][A-Za-z0-9 .:@_-]*$';
/** Strangers write ids and names. No spreadsheet may read them as formulas, even after blanks or full-width signs. */
const blanks = '\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const formula = `^[${blanks}]*[-=+@＝＋－＠]|^[\\t\\r\\n]`;
const special = '[",\\r\\n]';

export function cell(sql: Queryable, text: Fragment): Fragment {
  const harmless = sql`case when ${text} ~ ${formula} then '''' else '' end || ${text}`;
  return sql`case when ${text} ~ ${plain} then ${text}
    when ${text} ~ ${special} then '"' || replace(${harmless}, '"', '""') || '"' else ${harmless} end`;
}

export function money(sql: Queryable, paise: Fragment): Fragment {
  return sql`${paise} / 100 || '.' || lpad((${paise} % 100)::text, 2, '0')`;
}

export function time(sql: Queryable, moment: Fragment): Fragment {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
