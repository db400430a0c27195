import type { Sql } from '../../database/connect.ts';

export type ClaimedDelivery = {
  merchant_id: number;
  delivery_id: number;
  event_id: string;
  attempt: number;
  step: number;
  destination: string;
  leased_until: Date;
  type: string;
  order_id: string | null;
  webhook_url: string;
  body: string;
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
  /** A first attempt of a moment ago, which may use the places kept free for such. */
  is_live: boolean;
};

export type ClaimLimits = {
  now: Date;
  leasedUntil: Date;
  /** Since when a first attempt counts as live. */
  liveSince: Date;
  /** Free places in all, and those that anything but live attempts may take. */
  places: number;
  backlogPlaces: number;
  mostPerDestination: number;
  mostPerMerchant: number;
};

/** Any number; it only has to be the same in every process that claims. */
const claimLock = 7_264_252;
/** How far one claim looks ahead. Rows of destinations that are full are passed over and do not count. */
const lookAhead = 128;

/**
 * Takes due deliveries under a lease. Senders in all processes take turns by a lock, so that counting what a
 * destination has in hand is exact. Lock and claim travel as one message without parameters: a process that stops
 * breathing between two messages would otherwise hold the lock for everybody.
 *
 * Two ways in: live first attempts, newest first, which no backlog can stand before; and everything that is due,
 * oldest first. What is in hand, and destinations and businesses that have their full share of it, is left out by
 * hashed filters on the index, so ten thousand rows behind one slow shop are passed over. Without places for the
 * backlog only the live ones are looked for, which is always cheap.
 */
export async function claimDeliveries(sql: Sql, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  const now = moment(limits.now);
  const leasedUntil = moment(limits.leasedUntil);
  const places = whole(limits.places);
  const perDestination = whole(limits.mostPerDestination);
  const perMerchant = whole(limits.mostPerMerchant);
  const backlogPlaces = whole(limits.backlogPlaces);
  const isFree = `due_at <= ${now}
        and (merchant_id, event_id) not in (select merchant_id, event_id from deliveries_in_hand)
        and (merchant_id, destination) not in (select merchant_id, destination from busy where sending >= ${perDestination})
        and merchant_id not in (select merchant_id from busy_merchant where sending >= ${perMerchant})`;
  const claimed = await sql.unsafe(`
    select pg_advisory_xact_lock(${claimLock});
    with busy as materialized (
      select merchant_id, destination, count(*) as sending from deliveries_in_hand group by merchant_id, destination
    ), busy_merchant as materialized (
      select merchant_id, sum(sending) as sending from busy group by merchant_id
    ), live as materialized (
      select merchant_id, event_id, destination, due_at from delivery_queue
      where attempt = 1 and asked_by = 'schedule' and ${isFree} and due_at > ${moment(limits.liveSince)}
      order by due_at desc limit ${lookAhead}
    ), rest as materialized (
      select merchant_id, event_id, destination, due_at from delivery_queue
      where ${backlogPlaces} > 0 and ${isFree}
      order by due_at limit ${lookAhead}
    ), candidate as (
      -- A first attempt to a destination that is known to fail has no claim on the places kept free.
      select l.*, true as is_live from live l
      where not exists (select from failing_destinations f
        where f.merchant_id = l.merchant_id and f.destination = l.destination)
      union all
      select r.*, false from rest r
    ), once as (
      select distinct on (merchant_id, event_id) * from candidate
      order by merchant_id, event_id, is_live desc
    ), by_destination as (
      select o.*, coalesce(b.sending, 0)
        + row_number() over (partition by o.merchant_id, o.destination order by o.is_live desc, o.due_at) as place
      from once o left join busy b on b.merchant_id = o.merchant_id and b.destination = o.destination
    ), by_merchant as (
      select d.*, coalesce(b.sending, 0)
        + row_number() over (partition by d.merchant_id order by d.is_live desc, d.place, d.due_at) as share
      from by_destination d left join busy_merchant b on b.merchant_id = d.merchant_id
      where d.place <= ${perDestination}
    ), in_turn as (
      -- Whoever has least in hand comes first, then the oldest.
      select m.*, row_number() over (partition by m.is_live order by m.share, m.due_at, m.event_id) as turn,
        count(*) filter (where m.is_live) over () as live_count
      from by_merchant m where m.share <= ${perMerchant}
    ), chosen as materialized (
      select q.*, t.is_live
      from in_turn t join delivery_queue q on q.merchant_id = t.merchant_id and q.event_id = t.event_id
      where t.turn <= case when t.is_live then ${places}
        else least(${backlogPlaces}, ${places} - least(t.live_count, ${places})) end
    ), taken as (
      insert into deliveries_in_hand (merchant_id, event_id, delivery_id, destination, started_at, leased_until)
      select merchant_id, event_id, delivery_id, destination, ${now}, ${leasedUntil} from chosen
    )
    select c.merchant_id, c.delivery_id, c.event_id, c.attempt, c.step, c.destination, ${leasedUntil} as leased_until,
      e.type, e.order_id, e.webhook_url, b.body, m.webhook_secret, m.old_webhook_secret, m.secret_rotated_at, c.is_live
    from chosen c
      join events e on e.merchant_id = c.merchant_id and e.event_id = c.event_id
      join event_bodies b on b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at
      join merchants m on m.merchant_id = c.merchant_id`);
  return claimed as ClaimedDelivery[];
}

/** The only values that enter the text: moments and whole numbers of our own making. */
function moment(date: Date): string {
  return `timestamptz '${date.toISOString()}'`;
}

function whole(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`not a whole number: ${number}`);
  return String(number);
}
