import type { Queryable } from '../../base/database/connect.ts';
import { clearLease, isFree, type RowLease, setLease } from '../../base/database/row-lease.ts';
import type { Language } from '../../texts/languages.ts';
import type { Facts, NoticeKind } from '../../texts/say.ts';
import { readers, topicOf } from '../topics.ts';

type NewMailRow = {
  merchant_id: number;
  notice_id: number | null;
  recipient: string | null;
  subject: string | null;
  sealed_text: string | null;
  created_at: Date;
  next_try_at: Date | null;
  useful_until: Date;
};

export async function insertMail(sql: Queryable, row: NewMailRow): Promise<void> {
  await sql`insert into mails ${sql(row)}`;
}

export type Letter = { notice_id: null; recipient: string; subject: string; sealed_text: string };

type NoticeMail = {
  notice_id: number;
  kind: NoticeKind;
  facts: Facts;
  business: string;
  /** The owners and the members who chose this kind of mail. */
  readers: { email: string; language: Language | null; wants: boolean }[];
};

export type DueMail = {
  merchant_id: number;
  mail_id: number;
  claim: string;
  tries: number;
  useful_until: Date;
} & (Letter | NoticeMail);

type Due = { now: Date; mostTries: number };

/** Leases one mail. The try is counted first, so a mail that kills the process is not tried forever. */
export async function claimMail(sql: Queryable, lease: RowLease, mostTries: number): Promise<DueMail | null> {
  return await sql<DueMail[]>`
    with due as (
      select merchant_id, mail_id, notice_id from mails where ${isDue(sql, { now: lease.now, mostTries })}
      order by (notice_id is not null), next_try_at limit 1 for update skip locked
    )
    update mails m set ${setLease(sql, lease)}, tries = m.tries + 1
    from due
      left join notices n on n.merchant_id = due.merchant_id and n.notice_id = due.notice_id
      left join merchants b on b.merchant_id = n.merchant_id
    where m.merchant_id = due.merchant_id and m.mail_id = due.mail_id
    returning m.merchant_id, m.mail_id, m.claim, m.tries, m.useful_until, m.notice_id, m.recipient, m.subject, m.sealed_text,
      n.kind, n.facts, b.name as business,
      coalesce((select json_agg(json_build_object('email', r.email, 'language', r.language, 'wants', r.wants)) from (
        select u.email, u.language, coalesce(c.by_mail, u.role = 'owner') as wants
        from users u left join notice_choices c on c.merchant_id = u.merchant_id and c.user_id = u.user_id
          and c.topic = ${sql.json(topicOf)}::jsonb ->> n.kind
        where u.merchant_id = n.merchant_id and u.role = any (${[...readers]}::text[])
          and (u.role = 'owner' or c.by_mail)
        order by (u.role = 'owner') desc, u.created_at limit ${mostReaders}) as r), '[]') as readers`.first();
}

const mostReaders = 10;

export async function countDueMails(sql: Queryable, due: Due): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from mails where ${isDue(sql, due)}`;
  return row?.count ?? 0;
}

function isDue(sql: Queryable, { now, mostTries }: Due) {
  return sql`next_try_at <= ${now} and useful_until > ${now} and tries < ${mostTries}
    and ${isFree(sql, now)}`;
}

type MailKey = Pick<DueMail, 'merchant_id' | 'mail_id'>;

/** Records the send even if the lease has lapsed, and wipes the text. */
export async function markMailSent(sql: Queryable, key: MailKey, now: Date): Promise<void> {
  await sql`
    update mails set sent_at = ${now}, next_try_at = null, failure = null, sealed_text = null,
      ${clearLease(sql)}
    where merchant_id = ${key.merchant_id} and mail_id = ${key.mail_id}`;
}

/** With null the mail is given up and its text wiped. Nothing is written after the lease was lost. */
export async function markMailFailed(
  sql: Queryable,
  { merchant_id, mail_id, claim }: MailKey & { claim: string },
  failure: string,
  nextTryAt: Date | null,
): Promise<void> {
  await sql`
    update mails set failure = ${failure}, next_try_at = ${nextTryAt}, ${clearLease(sql)},
      sealed_text = case when ${nextTryAt}::timestamptz is null then null else sealed_text end
    where merchant_id = ${merchant_id} and mail_id = ${mail_id} and claim = ${claim} and sent_at is null`;
}

export async function giveUpUselessMails(sql: Queryable, now: Date): Promise<void> {
  await sql`
    update mails set next_try_at = null, sealed_text = null, ${clearLease(sql)}
    where next_try_at is not null and useful_until <= ${now}`;
}
