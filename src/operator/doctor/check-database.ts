import { statfsSync } from 'node:fs';
import { minute, mostClockSkew, second, stopwatch, systemClock } from '../../base/clock.ts';
import { compareSchema } from '../../base/database/compare-schema.ts';
import type { Sql } from '../../base/database/connect.ts';
import { detectPooling } from '../../base/database/detect-pooling.ts';
import { tryWriting } from '../../base/database/try-writing.ts';
import type { Config } from '../../base/settings/config.ts';
import { type Finding, fault, fine, warning } from './finding.ts';
import { type DatabaseFacts, selectDatabaseFacts } from './queries.ts';

/** Connections outside the pool: the listener, the claims of `deliver` and the leases of `mail`. */
const besidePool = 4;
const rolesOfOne = 3;
const longTransaction = 5 * minute;
const oldXids = 1_000_000_000;
const littleSpace = 0.1;
const gigabyte = 1024 ** 3;

export async function checkDatabase(sql: Sql, config: Config): Promise<Finding[]> {
  const asked = stopwatch();
  const facts = await selectDatabaseFacts(sql);
  const roundTrip = asked();
  return [
    clock(facts, roundTrip),
    facts.version >= 150_000
      ? fine('database', `PostgreSQL ${facts.version_text}, ${Math.round(roundTrip)} ms away`)
      : fault('database', `PostgreSQL ${facts.version_text}`, 'upgrade it to 15 or newer'),
    await schema(sql),
    rights(facts),
    ...scratch(facts, config),
    await writing(sql),
    await pooler(config),
    standby(facts),
    connections(facts, config),
    space(facts),
    await bloat(sql),
    transactions(facts),
  ];
}

function clock({ now }: DatabaseFacts, roundTrip: number): Finding {
  const skew = (systemClock.now().getTime() - roundTrip / 2 - now.getTime()) / second;
  const found = `${skew.toFixed(1)} s from the database's`;
  if (Math.abs(skew) * second > mostClockSkew)
    return fault('clock', found, 'set both clocks by NTP: Milaan does not start like this');
  return Math.abs(skew) > 2
    ? warning('clock', found, 'keep both clocks by NTP, for example with chrony')
    : fine('clock', found);
}

async function schema(sql: Sql): Promise<Finding> {
  const { waiting, problem, refusal } = await compareSchema(sql);
  if (problem && refusal) return fault('schema', problem.found, problem.todo);
  if (waiting.length > 0) return fault('schema', `${waiting.length} migrations wait`, 'run milaan upgrade');
  return problem
    ? warning('schema', `${problem.found}, and this one may run next to it`, problem.todo)
    : fine('schema', 'of this version');
}

function rights({ may_create, is_owner, may_watch, user }: DatabaseFacts): Finding {
  if (!may_create || !is_owner)
    return fault('rights', `${user} does not own the database`, `alter database … owner to ${user}`);
  return may_watch
    ? fine('rights', `${user} owns the database`)
    : warning(
        'rights',
        `${user} owns the database, and cannot see other sessions on its server`,
        `grant pg_monitor to ${user}: for the standby, the disk and open transactions below`,
      );
}

/** Each backup is tried in a scratch database, which this role must be able to create. */
function scratch({ may_create_databases, user }: DatabaseFacts, { backupKey }: Config): Finding[] {
  if (may_create_databases || backupKey === null) return [];
  const todo = `alter role ${user} createdb: each is tried in a scratch database (or backup --untried)`;
  return [warning('createdb', `${user} may not create databases, so no backup can be tried`, todo)];
}

async function writing(sql: Sql): Promise<Finding> {
  const state = await tryWriting({ sql, clock: systemClock })();
  return state === 'ok'
    ? fine('writing', 'commits work, and there is disk space')
    : fault(
        'writing',
        state,
        'check that DATABASE_URL names the primary, its disk has space, and its standby is up',
      );
}

async function pooler({ databaseUrl }: Config): Promise<Finding> {
  const pooling = databaseUrl === null ? 'by session' : await detectPooling(databaseUrl);
  if (pooling === 'by session') return fine('pooler', 'none, or by session');
  return pooling === 'by transaction, prepared'
    ? fine('pooler', 'by transaction: webhooks leave up to a second later')
    : warning(
        'pooler',
        'by transaction, without prepared statements',
        'set max_prepared_statements in PgBouncer 1.21 or newer',
      );
}

function standby({ is_standby, synchronous_names, following, in_step }: DatabaseFacts): Finding {
  if (is_standby) return fault('standby', 'DATABASE_URL names a standby', 'let it name the primary');
  if (synchronous_names !== '' && in_step === 0)
    return fault(
      'standby',
      'every commit waits for a standby that is down',
      'start the standby: nothing is written until then',
    );
  if (following === 0)
    return warning(
      'standby',
      'none follows',
      'if the disk is lost, so is everything after the last backup: see docs/scaling.md, High availability',
    );
  if (in_step === null)
    return warning('standby', `${following} following; whether in step cannot be seen`, 'grant pg_monitor');
  return in_step > 0
    ? fine('standby', `${following} following, ${in_step} in step`)
    : warning(
        'standby',
        `${following} following, none in step`,
        'set synchronous_standby_names, or a takeover may lose payments',
      );
}

function connections(
  { max_connections, used_connections }: DatabaseFacts,
  { databasePool }: Config,
): Finding {
  const wanted = rolesOfOne * databasePool + besidePool;
  const found = `${used_connections} of ${max_connections} used; three processes of this size take up to ${wanted}`;
  return max_connections - 5 >= wanted
    ? fine('connections', found)
    : warning('connections', found, 'raise max_connections or lower DATABASE_POOL');
}

function space({ data_directory, bytes, is_local }: DatabaseFacts): Finding {
  const size = `${(bytes / gigabyte).toFixed(2)} GiB`;
  if (!is_local || data_directory === null)
    return fine('disk', `the database holds ${size}; only its own machine shows how full its disk is`);
  try {
    const { bavail, blocks, bsize } = statfsSync(data_directory);
    const free = `${((bavail * bsize) / gigabyte).toFixed(1)} GiB free`;
    return bavail / blocks < littleSpace
      ? warning('disk', `the database holds ${size}, ${free}`, 'give the disk more space before it is full')
      : fine('disk', `the database holds ${size}, ${free}`);
  } catch {
    return fine('disk', `the database holds ${size}; its disk cannot be checked from here`);
  }
}

async function bloat(sql: Sql): Promise<Finding> {
  const rows = await sql<{ name: string; dead: number }[]>`
    select relname::text as name, n_dead_tup as dead from pg_stat_user_tables
    where n_dead_tup > 10000 and n_dead_tup > n_live_tup order by n_dead_tup desc limit 5`;
  return rows.length === 0
    ? fine('bloat', 'no table has more dead rows than living ones')
    : warning(
        'bloat',
        rows.map(({ name, dead }) => `${name}: ${dead} dead rows`).join(', '),
        'find out why autovacuum does not keep up',
      );
}

function transactions({ oldest_transaction, xid_age }: DatabaseFacts): Finding {
  if (xid_age > oldXids)
    return fault(
      'transactions',
      `the oldest row is ${xid_age} transactions old`,
      'vacuum freeze, before PostgreSQL stops',
    );
  const age = oldest_transaction ?? 0;
  return age * second > longTransaction
    ? warning(
        'transactions',
        `the oldest is open for ${Math.round(age / 60)} minutes`,
        'end it: it blocks vacuum',
      )
    : fine('transactions', `the oldest is open for ${Math.round(age)} s`);
}
