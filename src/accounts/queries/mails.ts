import type { Queryable } from '../../database/connect.ts';

type NewMailRow = {
  merchant_id: number;
  recipient: string;
  subject: string;
  sealed_text: string;
  created_at: Date;
  next_try_at: Date | null;
};

export async function insertMail(sql: Queryable, row: NewMailRow): Promise<void> {
  await sql`insert into account_mails ${sql(row)}`;
}

export type DueMail = {
  merchant_id: number;
  mail_id: number;
  recipient: string;
  subject: string;
  sealed_text: string;
  tries: number;
};

type Claim = { now: Date; leasedUntil: Date; most: number };

/** Counts the try before it is made: a mail that ends the process every time is not tried for ever. */
export async function claimMails(sql: Queryable, { now, leasedUntil, most }: Claim): Promise<DueMail[]> {
  return await sql<DueMail[]>`
    with due as (
      select merchant_id, mail_id from account_mails where next_try_at <= ${now}
      order by next_try_at limit ${most} for update skip locked
    )
    update account_mails m set next_try_at = ${leasedUntil}, tries = m.tries + 1
    from due where m.merchant_id = due.merchant_id and m.mail_id = due.mail_id
    returning m.merchant_id, m.mail_id, m.recipient, m.subject, m.sealed_text, m.tries`;
}

type MailKey = Pick<DueMail, 'merchant_id' | 'mail_id'>;

/** Sent or given up: either way the text is wiped. */
export async function markMailDone(sql: Queryable, key: MailKey, sentAt: Date | null): Promise<void> {
  await sql`
    update account_mails set sent_at = ${sentAt}, next_try_at = null, sealed_text = null
    where merchant_id = ${key.merchant_id} and mail_id = ${key.mail_id}`;
}

export async function postponeMail(sql: Queryable, key: MailKey, nextTryAt: Date): Promise<void> {
  await sql`
    update account_mails set next_try_at = ${nextTryAt}
    where merchant_id = ${key.merchant_id} and mail_id = ${key.mail_id}`;
}

export async function deleteOldMails(sql: Queryable, before: Date): Promise<void> {
  await sql`delete from account_mails where created_at < ${before}`;
}
