import type { Queryable } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';
import { installation } from '../../business/accounts/record-audit.ts';
import { fromAll, inEachCell } from '../cells/in-each-cell.ts';
import type { Command } from '../command.ts';

export const breachScopeCommand: Command = {
  needs: 'database',
  summary: 'list which businesses and how many persons a sign-in, a key or a process could reach',
  everyCell: true,
  options: {
    account: { meaning: 'the address that the person signs in with, also one that was removed since' },
    key: { meaning: 'the id of an API key (key_…), never the key itself' },
    process: { meaning: 'a process by its name, as /dashboard/operator/health shows it' },
    since: {
      meaning: 'since when somebody else may have had it, such as 2026-11-14T10:00:00Z',
      required: true,
    },
  },
  async run(world, options) {
    const since = new Date(options['since']!);
    if (Number.isNaN(since.getTime()) || since > world.clock.now())
      throw new StartError('--since must be a moment in the past, such as 2026-11-14T10:00:00Z');
    const named = (['account', 'key', 'process'] as const).filter(name => options[name] !== undefined);
    const [name] = named;
    if (name === undefined || named.length > 1)
      throw new StartError('give one of --account, --key and --process');
    const met = await inEachCell(world, async ({ sql }) => await sql`select`);
    for (const [cell, answer] of met.entries())
      if (!answer)
        console.log(`cell ${cell} is down: its businesses were within reach too, and are not counted`);
    // This reads every order and alert, so it has no time limit.
    const ask: Ask = query => fromAll(world, ({ sql }) => sql.begin(query, { patient: true }));
    await scopeOf[name](ask, options[name]!, since);
    console.log('data that was deleted since then was within reach too, and cannot be counted any more');
    return met.includes(null) ? 1 : 0;
  },
};

/** Asks every database; a business that was moved is asked only in its new one. */
type Ask = <Row extends object>(query: (sql: Queryable) => Promise<Row[]>) => Promise<Row[]>;

const scopeOf = {
  async account(ask: Ask, email: string, since: Date): Promise<void> {
    const found = await ask(sql => selectMembership(sql, email));
    if (found.length === 0) throw new StartError(`nobody signed in here as ${email}`);
    const auditEntries = await ask(sql => selectEntriesOf(sql, email, since));
    if (found.some(one => one.merchant_id === installation)) {
      console.log(
        `${email} is an operator: every business is on the operator's screens, without orders; mails only of the businesses named below, which allowed a look`,
      );
      // Entries about a business are also in its own log, so only the installation's own are printed here.
      for (const audited of auditEntries.filter(one => one.merchant_id === installation))
        console.log(`  ${sayEntries(audited)}`);
      const viewed = new Set(
        auditEntries.filter(one => one.action === 'look.begin').map(one => one.merchant_id),
      );
      const all = await ask(sql => selectPersons(sql, null));
      for (const one of all.filter(({ merchant_id }) => viewed.has(merchant_id)))
        console.log(`${sayPersons(one)}, all of it on screen during a look that its owner allowed`);
      return sayAll(
        all.map(one => (viewed.has(one.merchant_id) ? one : { ...one, customers: 0, payers: 0 })),
      );
    }
    const ids = found.map(one => one.merchant_id);
    const persons = await ask(sql => selectPersons(sql, ids));
    for (const { merchant_id: merchantId, role } of found) {
      console.log(
        `${email}, ${role ?? 'removed from the team since'}${role === 'cashier' ? " (sees only the day's payments)" : ''}:`,
      );
      for (const one of persons.filter(({ merchant_id }) => merchant_id === merchantId))
        console.log(sayPersons(one));
      const own = auditEntries.filter(audited => audited.merchant_id === merchantId);
      if (own.length === 0) console.log('  has no audit entry since then');
      for (const audited of own) console.log(`  ${sayEntries(audited)}`);
    }
    sayAll(persons);
  },

  async key(ask: Ask, keyId: string, since: Date): Promise<void> {
    const [key] = await ask(sql => selectKeyScope(sql, keyId, since));
    if (!key) throw new StartError(`there is no API key ${keyId}`);
    if (key.revoked_at !== null && key.revoked_at < since) {
      console.log(
        `${keyId} "${key.name}" was revoked at ${key.revoked_at.toISOString()}: it reached nothing since`,
      );
      return;
    }
    console.log(
      `${keyId} "${key.name}"${key.revoked_at ? `, revoked at ${key.revoked_at.toISOString()}` : ', not revoked'}: creates and reads orders, no mails and no payers' names`,
    );
    const persons = await ask(sql => selectPersons(sql, [key.merchant_id]));
    for (const one of persons) console.log(sayPersons({ ...one, payers: 0, people: 0, archived: 0 }));
    console.log(
      `  last used ${key.last_used_at?.toISOString() ?? 'never'}; read orders ${key.days.length === 0 ? 'on no day' : key.days.map(one => `${one.day}: ${one.reads}`).join(', ')}`,
    );
    sayAll(persons.map(one => ({ ...one, payers: 0, people: 0 })));
  },

  async process(ask: Ask, process: string, _since: Date): Promise<void> {
    const [known] = await ask(sql => selectProcess(sql, process));
    console.log(
      `${process}${known ? ` last reported at ${known.told_at.toISOString()}, ${known.version}` : ' (has not reported for a day, or never)'}: every process has the database and SECRET_KEY, so everything stored, and with it mailbox passwords and webhook secrets`,
    );
    const persons = await ask(sql => selectPersons(sql, null));
    for (const one of persons) console.log(sayPersons(one));
    sayAll(persons);
  },
};

function sayPersons({ merchant_id, name, customers, payers, people, archived }: Persons): string {
  const counts = [
    `${customers} ${customers === 1 ? 'customer' : 'customers'} in orders`,
    payers > 0 && `${payers} ${payers === 1 ? 'payer' : 'payers'} in bank mails`,
    people > 0 && `${people} of its team`,
    archived > 0 && `${archived} orders in archives`,
  ].filter(Boolean);
  return `  business ${merchant_id} "${name}": ${counts.join(', ')}`;
}

function sayAll(persons: readonly Persons[]): void {
  const most = persons.reduce((all, { customers, payers, people }) => all + customers + payers + people, 0);
  console.log(
    `within reach: ${persons.length} ${persons.length === 1 ? 'business' : 'businesses'}, at most ${most} ${most === 1 ? 'person' : 'persons'}`,
  );
}

type Entries = Awaited<ReturnType<typeof selectEntriesOf>>[number];

function sayEntries({ action, count, first, last, addresses }: Entries): string {
  const from = addresses.filter(address => address !== '');
  return `${action} ${count === 1 ? 'once' : `${count} times`}, ${first.toISOString()} to ${last.toISOString()}${from.length > 0 ? `, from ${from.join(', ')}` : ''}`;
}

/** Businesses whose team has or, by the audit log, had this person. `role` is null for a removed member. */
async function selectMembership(sql: Queryable, email: string) {
  return await sql<{ merchant_id: number; role: string | null }[]>`
    select merchant_id, max(role) as role from (
      select merchant_id, role from users where lower(email) = lower(${email})
      union all
      select merchant_id, null from audit_log where lower(actor) in (lower(${email}), 'operator ' || lower(${email}))
        and (merchant_id = 0 or actor not like 'operator %')) as found
    group by 1 order by 1`;
}

/** A person's audit entries since a moment, also those of an operator in a business's log. */
async function selectEntriesOf(sql: Queryable, email: string, since: Date) {
  return await sql<
    { merchant_id: number; action: string; count: number; first: Date; last: Date; addresses: string[] }[]
  >`
    select merchant_id, action, count(*) as count, min(at) as first, max(at) as last,
      array_agg(distinct address order by address) as addresses
    from audit_log where lower(actor) in (lower(${email}), 'operator ' || lower(${email})) and at >= ${since}
    group by 1, 2 order by 1, 4, 2`;
}

async function selectKeyScope(sql: Queryable, keyId: string, since: Date) {
  const [key] = await sql<
    { merchant_id: number; name: string; revoked_at: Date | null; last_used_at: Date | null }[]
  >`select merchant_id, name, revoked_at, last_used_at from api_keys where key_id = ${keyId}`;
  if (!key) return [];
  const days = await sql<{ day: string; reads: number }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, reads from key_reads
    where merchant_id = ${key.merchant_id} and key_id = ${keyId} and day >= (${since}::timestamptz at time zone 'Asia/Kolkata')::date
    order by key_reads.day`;
  return [{ ...key, days }];
}

async function selectProcess(sql: Queryable, process: string) {
  return await sql<{ version: string; told_at: Date }[]>`
    select version, told_at from processes where process = ${process}`;
}

type Persons = {
  merchant_id: number;
  name: string;
  customers: number;
  payers: number;
  people: number;
  archived: number;
};

/** Counts persons in these businesses, or all. Two addresses count twice: this is an upper bound. */
async function selectPersons(sql: Queryable, merchantIds: readonly number[] | null): Promise<Persons[]> {
  return await sql<Persons[]>`
    select m.merchant_id, m.name,
      (select count(distinct coalesce(nullif(lower(o.customer ->> 'email'), ''), nullif(o.customer ->> 'phone', ''),
        nullif(lower(o.customer ->> 'name'), ''))) from orders o where o.merchant_id = m.merchant_id) as customers,
      (select count(distinct lower(a.payer)) from alerts a where a.merchant_id = m.merchant_id) as payers,
      (select count(*) from users u where u.merchant_id = m.merchant_id) as people,
      (select coalesce(sum(r.orders), 0)::bigint from order_archives r where r.merchant_id = m.merchant_id) as archived
    from merchants m
    where ${merchantIds === null} or m.merchant_id = any (${merchantIds === null ? [] : [...merchantIds]}::bigint[])
    order by m.merchant_id`;
}
