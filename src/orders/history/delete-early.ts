import { day, later } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { type ChosenKind, chosenKinds, earlyDays, type KeepDays } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { hiddenFor } from './history-step.ts';
import { isNeeded } from './queries/leaving.ts';

const merchantsPerPage = 500;
const stepSize = 1000;
/** Once a day is enough, and gives an operator a day to correct a clock that is far ahead. */
const every = 1 * day;
/** Either nothing ran for this long, or the clock has jumped. We cannot know which. */
const jump = 3 * day;

/**
 * Deletes what owners, or the operator by a ceiling, want deleted before its order. A choice takes effect two weeks
 * after its last change, so that a stranger's change can be undone. True once all businesses were handled.
 */
export async function deleteEarly(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'log'>,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const { sql, config, log } = world;
  const all = chosenKinds.some(kind => config.keep[kind].ceiling !== null);
  for (let after = 0; ; ) {
    const page = await selectEarly(sql, all, after);
    for (const merchant of page) {
      after = merchant.merchant_id;
      try {
        await forgetOf(world, merchant, isOver);
      } catch (error) {
        // One faulty business must not stop the others.
        log.error({ err: error, merchant: merchant.merchant_id }, 'rows with a shorter retention were kept');
      }
      if (isOver()) return false;
    }
    if (page.length < merchantsPerPage) return true;
  }
}

async function forgetOf(
  { sql, clock, config }: Pick<World, 'sql' | 'clock' | 'config'>,
  merchant: Early,
  isOver: () => boolean,
): Promise<void> {
  const { merchant_id: merchantId } = merchant;
  const days = earlyDays(config.keep, merchant.keeps);
  const now = clock.now();
  if (chosenKinds.some(kind => days[kind] !== merchant.early[kind])) {
    await sql`
      update history_progress set early = ${sql.json(days)}, early_since = ${now}, early_at = ${now} where merchant_id = ${merchantId}`;
    return;
  }
  if (isDue(merchant, now)) {
    for (const kind of chosenKinds) {
      const kept = days[kind];
      if (kept === undefined) continue;
      const forget = () =>
        sql.begin(tx => deleteKind[kind](tx, merchantId, later(now, -kept * day), stepSize));
      while ((await forget()) === stepSize) if (isOver()) return;
    }
  } else if (!isStrange(merchant, now)) return;
  await sql`update history_progress set early_at = ${now} where merchant_id = ${merchantId}`;
}

function isDue(merchant: Early, now: Date): boolean {
  const { early_since: since, early_at: at } = merchant;
  if (since === null || at === null || isStrange(merchant, now)) return false;
  return now.getTime() - since.getTime() >= hiddenFor && now.getTime() - at.getTime() >= every;
}

/** Written by a clock that is ahead of ours, or too long ago: the day starts again. */
function isStrange({ early_at: at }: Early, now: Date): boolean {
  const since = now.getTime() - (at?.getTime() ?? 0);
  return since < 0 || since > jump;
}

type Early = {
  merchant_id: number;
  keeps: KeepDays;
  /** The choice in force at the last check. */
  early: KeepDays;
  early_since: Date | null;
  early_at: Date | null;
};

/** Businesses with something that may be deleted before its order. All businesses, if the operator set a ceiling. */
async function selectEarly(sql: Queryable, all: boolean, after: number) {
  return await sql<Early[]>`
    select m.merchant_id, m.keeps, h.early, h.early_since, h.early_at
    from merchants m join history_progress h on h.merchant_id = m.merchant_id
    where m.merchant_id > ${after} and (${all} or m.keeps <> '{}' or h.early <> '{}')
    order by m.merchant_id limit ${merchantsPerPage}`;
}

/** Deletes the next rows of a kind that are at least as old as `before`. Returns how many, at most `limit`. */
type Forget = (tx: Transaction, merchantId: number, before: Date, limit: number) => Promise<number>;

export const deleteKind: Record<ChosenKind, Forget> = {
  /** Undecided money keeps its mail, because nobody could decide without it. */
  async raw_mails(tx, merchantId, before, limit) {
    await tx`
      update history_progress set mails_gone_to = greatest(mails_gone_to, ${before}) where merchant_id = ${merchantId}`;
    const rows = await tx`
      delete from raw_mails r using (
        select r.alert_id, r.arrived_at from raw_mails r
        where r.merchant_id = ${merchantId} and r.arrived_at <= ${before} and not ${isNeeded(tx)}
          and not exists (select from alerts a where a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
            and a.verdict in ('no_order', 'too_late', 'extra_payment') and not a.is_ended offset 0)
        order by r.arrived_at limit ${limit}) l
      where r.merchant_id = ${merchantId} and r.alert_id = l.alert_id and r.arrived_at = l.arrived_at
      returning r.alert_id`;
    return rows.length;
  },

  /** A typed reference stays while its order, or a credit with that reference, waits for a person. */
  async claims(tx, merchantId, before, limit) {
    const rows = await tx`
      delete from claimed_references where ctid = any (array(
        select c.ctid from claimed_references c
        where c.merchant_id = ${merchantId} and c.claimed_at <= ${before}
          and not exists (select from orders o
            where o.merchant_id = c.merchant_id and o.order_id = c.order_id and o.status = 'manual_review')
          and not exists (select from counted_references r join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
            where r.merchant_id = c.merchant_id and r.bank_reference = c.bank_reference
              and (a.verdict in ('no_order', 'too_late', 'extra_payment') and not a.is_ended
                or exists (select from handled_credits h
                  where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and h.state = 'attached')))
        limit ${limit})) and merchant_id = ${merchantId}
      returning order_id`;
    return rows.length;
  },

  /**
   * Delivered bodies and the shop's answers. The event is locked before the last check. A resend locks it too, and
   * finds either the body or that it is gone.
   */
  async webhook_bodies(tx, merchantId, before, limit) {
    const waits = tx`(exists (select from delivery_queue q where q.merchant_id = b.merchant_id and q.event_id = b.event_id)
      or exists (select from given_up_events g where g.merchant_id = b.merchant_id and g.event_id = b.event_id))`;
    await tx`
      update history_progress set bodies_gone_to = greatest(bodies_gone_to, ${before}) where merchant_id = ${merchantId}`;
    const locked = await tx<{ event_id: string }[]>`
      select e.event_id from event_bodies b join events e on e.merchant_id = b.merchant_id and e.event_id = b.event_id
      where b.merchant_id = ${merchantId} and b.created_at <= ${before} and not ${waits}
      limit ${limit} for update of e skip locked`;
    const ids = locked.map(({ event_id }) => event_id);
    await tx`
      with gone as (
        delete from event_bodies b
        where b.merchant_id = ${merchantId} and b.event_id = any (${ids}::text[]) and b.created_at <= ${before} and not ${waits}
        returning b.event_id
      )
      update delivery_log l set response = null from gone
      where l.merchant_id = ${merchantId} and l.event_id = gone.event_id and l.response is not null`;
    return ids.length;
  },

  /** Whole months, by when their last part was written, because the first part has the header of all. */
  async archives(tx, merchantId, before) {
    await tx`select pg_advisory_xact_lock(hashtextextended('order_archives', ${merchantId}))`;
    await tx`
      delete from order_archives a where a.merchant_id = ${merchantId} and a.month in (
        select month from order_archives where merchant_id = ${merchantId}
        group by month having max(created_at) <= ${before})`;
    return 0;
  },
};
