import type { ProviderId } from '../../alerts/mailboxes/providers.ts';
import type { Queryable } from '../../base/database/connect.ts';

export type DatabaseFacts = {
  now: Date;
  version: number;
  version_text: string;
  user: string;
  may_create: boolean;
  is_owner: boolean;
  may_create_databases: boolean;
  is_standby: boolean;
  is_local: boolean;
  synchronous_names: string;
  /** Whether this role sees other sessions on the server. */
  may_watch: boolean;
  following: number;
  /** Null if this role may not see it. */
  in_step: number | null;
  max_connections: number;
  used_connections: number;
  /** Null if this role may not see it. */
  data_directory: string | null;
  bytes: number;
  /** In seconds. */
  oldest_transaction: number | null;
  xid_age: number;
};

export async function selectDatabaseFacts(sql: Queryable): Promise<DatabaseFacts> {
  const [row] = await sql<DatabaseFacts[]>`
    select clock_timestamp() as now,
      current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
      current_user::text as user, has_schema_privilege(current_schema(), 'create') as may_create,
      pg_has_role(d.datdba, 'member') as is_owner,
      (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as may_create_databases,
      pg_is_in_recovery() as is_standby,
      coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as is_local,
      current_setting('synchronous_standby_names') as synchronous_names,
      pg_has_role('pg_monitor', 'usage') as may_watch,
      (select count(*) from pg_stat_replication) as following,
      case when pg_has_role('pg_read_all_stats', 'usage') then
        (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) end as in_step,
      current_setting('max_connections')::int as max_connections,
      (select count(*) from pg_stat_activity) as used_connections,
      (select setting from pg_settings where name = 'data_directory') as data_directory,
      pg_database_size(current_database())::bigint as bytes,
      (select extract(epoch from clock_timestamp() - min(xact_start))::float8 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()) as oldest_transaction,
      age(d.datfrozenxid)::bigint as xid_age
    from pg_database d where d.datname = current_database()`;
  return row!;
}

export async function selectMailProviders(sql: Queryable) {
  return await sql<{ provider: ProviderId; mailboxes: number }[]>`
    select provider, count(*) as mailboxes from mailboxes group by provider order by provider`;
}

/** Google sign-ins that ended six to eight days after they began; at most 100 mailboxes are looked at. */
export async function countWeekLongSignIns(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from (
      select s.last_good_poll, coalesce((select a.at from audit_log a
        where a.merchant_id = m.merchant_id and a.action = 'mailbox.connect' order by a.seq desc limit 1), m.connected_at) as began
      from mailboxes m join mailbox_states s using (merchant_id)
      where m.provider = 'gmail' and s.last_error ->> 'code' = 'permission_ended' limit 100) ended
    where last_good_poll between began + interval '6 days' and began + interval '8 days'`;
  return row!.count;
}

export async function selectPushFacts(sql: Queryable) {
  const [row] = await sql<{ devices: number; untaken: number; last_told_at: Date | null }[]>`
    select count(*) as devices, max(last_told_at) as last_told_at,
      (select count(*) from pushes where tries > 0 and next_try_at > created_at) as untaken
    from push_devices`;
  return row!;
}
