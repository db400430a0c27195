import type { Queryable } from '../../base/database/connect.ts';
import type { Person } from '../../business/accounts/queries/users.ts';
import { type Topic, topics } from '../../outbox/topics.ts';

export type NoticeChoice = { topic: Topic; by_mail: boolean; by_push: boolean };

/** A person's choices. Without any, owners get mails and every device gets pushes. */
export async function selectChoices(sql: Queryable, who: Person): Promise<NoticeChoice[]> {
  return await sql<NoticeChoice[]>`
    select t.topic, coalesce(c.by_mail, u.role = 'owner') as by_mail, coalesce(c.by_push, true) as by_push
    from users u cross join unnest(${[...topics]}::text[]) with ordinality as t (topic, place)
      left join notice_choices c on c.merchant_id = u.merchant_id and c.user_id = u.user_id and c.topic = t.topic
    where u.merchant_id = ${who.merchantId} and u.user_id = ${who.userId} order by t.place`;
}

export async function saveChoices(
  sql: Queryable,
  merchantId: number,
  userId: string,
  choices: readonly NoticeChoice[],
): Promise<void> {
  const rows = choices.map(choice => ({ merchant_id: merchantId, user_id: userId, ...choice }));
  await sql`
    insert into notice_choices ${sql(rows)}
    on conflict (merchant_id, user_id, topic) do update set by_mail = excluded.by_mail, by_push = excluded.by_push`;
}
