import { createHash } from 'node:crypto';
import { hour, later, second } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { openWriteBuffer } from '../../base/open-write-buffer.ts';
import type { World } from '../../base/world.ts';
import type { Verdict } from '../../texts/verdicts.ts';
import type { Judgement } from './judge-mail.ts';
import type { Claimed } from './queries/claims.ts';
import { type Proven, recordProven, type Way, wayOf } from './queries/ways.ts';

/** If a process dies, it loses the counts of this time at most. */
const flushEvery = 2 * second;
/** An owner is notified of changed mails at most once in this time, even if unchanged mails come between. */
const changeForgottenAfter = 24 * hour;
/** Far more than the combinations of banks, verdicts and templates. Anything above it in one flush is not counted. */
const mostRemembered = 5_000;
/** More ways than one process can prove between two flushes. */
const mostProven = 100_000;

type Counted = { bank: string; mails: number; at: Date };

export type BankFigures = ReturnType<typeof openBankFigures>;

/**
 * Counts each bank's verdicts, wordings (`skeletons`) and senders, and notes the last proven mail of each business by
 * mailbox and by forwarding. They stay in memory while mails are judged and are written together.
 */
export function openBankFigures({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  const verdicts = counter<{ verdict: Verdict }>();
  const skeletons = counter<{ template: string; skeleton: string; hash: Buffer }>();
  const sources = counter<{ kind: SourceKind; source: string }>();
  const proven = openWriteBuffer<Proven & { way: Way }>(mostProven, (known, one) =>
    known.arrivedAt < one.arrivedAt ? one : known,
  );
  const keepProven = (one: Proven & { way: Way }) => proven.note(`${one.way} ${one.merchantId}`, one);
  return {
    note(judgement: Judgement, verdict: Verdict): void {
      const { bankId: bank, sender, signingDomain, unlistedDomain, surroundings } = judgement;
      if (bank === null) return;
      const at = clock.now();
      verdicts.note(`${bank} ${verdict}`, { bank, verdict, mails: 1, at });
      const seen = (kind: SourceKind, source: string | null) =>
        source !== null && sources.note(`${bank} ${kind} ${source}`, { bank, kind, source, mails: 1, at });
      // Anybody can use an address that no signature covers.
      if (signingDomain !== null) seen('sender', sender);
      seen('domain', signingDomain);
      seen('unlisted_domain', unlistedDomain);
      if (judgement.verdict !== 'credit' || surroundings === null) return;
      const { template } = judgement.facts;
      const hash = createHash('sha256').update(surroundings).digest();
      const key = `${bank} ${template} ${hash.toString('base64')}`;
      skeletons.note(key, { bank, template, skeleton: surroundings, hash, mails: 1, at });
    },
    /** Only proven mails count as a way's last alert. Others only show that some mail comes. */
    noteProven({ merchant_id: merchantId, arrived_at: arrivedAt, found_in }: Claimed): void {
      keepProven({ merchantId, arrivedAt, way: wayOf({ found_in }) });
    },
    async flush(): Promise<void> {
      const [all, announcedBefore] = [proven.take(), later(clock.now(), -changeForgottenAfter)];
      for (const way of ['forwarding', 'mailbox'] as const) {
        const ofWay = all.filter(one => one.way === way);
        await recordProven(sql, way, ofWay, announcedBefore).catch(error => {
          all.forEach(keepProven);
          throw error;
        });
      }
      await addVerdicts(sql, verdicts.take());
      await addSkeletons(sql, skeletons.take());
      await addSources(sql, sources.take());
    },
  };
}

function counter<Key>() {
  return openWriteBuffer<Counted & Key>(mostRemembered, (known, one) => ({
    ...one,
    mails: known.mails + one.mails,
  }));
}

/** Writes the figures while mails are judged. Closing the judging writes the last ones. */
export function startWritingFigures(world: Pick<World, 'sql' | 'log'>, figures: BankFigures) {
  return keepWorking(world, { what: 'writing bank figures', pause: flushEvery }, () => figures.flush());
}

type SourceKind = 'sender' | 'domain' | 'unlisted_domain';

/** Only this many of each kind are kept per bank, the last seen: payers and strangers can create new ones. */
const mostKept = 50;

const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key) => rows.map(row => row[key]);

/** Counts by the day in India. Rows are locked in one order, so that two simultaneous writers cannot deadlock. */
async function addVerdicts(sql: Queryable, rows: readonly (Counted & { verdict: string })[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bank_verdicts (bank, day, verdict, mails)
    select bank, (at at time zone 'Asia/Kolkata')::date, verdict, sum(mails)
    from unnest(${column(rows, 'bank')}::text[], ${column(rows, 'verdict')}::text[], ${column(rows, 'mails')}::bigint[],
      ${column(rows, 'at')}::timestamptz[]) as n (bank, verdict, mails, at)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (bank, day, verdict) do update set mails = bank_verdicts.mails + excluded.mails`;
}

async function addSkeletons(
  sql: Queryable,
  rows: readonly (Counted & { template: string; hash: Buffer; skeleton: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bank_skeletons as k (bank, template, hash, skeleton, mails, first_seen, last_seen)
    select bank, template, hash, skeleton, mails, at, at
    from unnest(${column(rows, 'bank')}::text[], ${column(rows, 'template')}::text[], ${column(rows, 'hash')}::bytea[],
      ${column(rows, 'skeleton')}::text[], ${column(rows, 'mails')}::bigint[], ${column(rows, 'at')}::timestamptz[])
      as n (bank, template, hash, skeleton, mails, at)
    order by 1, 2, 3
    on conflict (bank, template, hash) do update
      set mails = k.mails + excluded.mails, last_seen = greatest(k.last_seen, excluded.last_seen)`;
  await sql`
    delete from bank_skeletons k using (
      select bank, template, hash, row_number() over (partition by bank, template order by last_seen desc) as place
      from bank_skeletons where bank in ${sql([...new Set(column(rows, 'bank'))])}) old
    where old.place > ${mostKept} and (k.bank, k.template, k.hash) = (old.bank, old.template, old.hash)`;
}

async function addSources(
  sql: Queryable,
  rows: readonly (Counted & { kind: SourceKind; source: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into bank_sources as s (bank, kind, source, mails, first_seen, last_seen)
    select bank, kind, source, mails, at, at
    from unnest(${column(rows, 'bank')}::text[], ${column(rows, 'kind')}::text[], ${column(rows, 'source')}::text[],
      ${column(rows, 'mails')}::bigint[], ${column(rows, 'at')}::timestamptz[]) as n (bank, kind, source, mails, at)
    order by 1, 2, 3
    on conflict (bank, kind, source) do update
      set mails = s.mails + excluded.mails, last_seen = greatest(s.last_seen, excluded.last_seen)`;
  await sql`
    delete from bank_sources s using (
      select bank, kind, source, row_number() over (partition by bank, kind order by last_seen desc) as place
      from bank_sources where bank in ${sql([...new Set(column(rows, 'bank'))])}) old
    where old.place > ${mostKept} and (s.bank, s.kind, s.source) = (old.bank, old.kind, old.source)`;
}
