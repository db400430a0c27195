import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../../src/base/database/migrate.ts';
import { migrationNames } from '../../../src/base/database/migration-files.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { countLostSecrets } from '../../../src/operator/seal-again.ts';
import { type Facts, type NoticeKind, sayNotice } from '../../../src/texts/say.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const database = await openTestDatabase({ most: 2 });
const { sql } = database;
after(() => database.stop());

async function openOlder(): Promise<void> {
  await sql.unsafe('drop schema public cascade; create schema public');
  const old = mkdtempSync(join(tmpdir(), 'milaan-0.2.0-'));
  for (const name of migrationNames().filter(name => name < '0037'))
    cpSync(`migrations/${name}`, join(old, name));
  await migrate(sql, () => {}, { folder: pathToFileURL(`${old}/`) });
  rmSync(old, { recursive: true });
}

/** Inserts a chat like release 0.2.0. */
async function addChat(merchantId: number, place: string, offReason: object | null = null): Promise<void> {
  await sql`
    insert into chats (merchant_id, chat_id, place, sealed, topics, language, created_at, next_try_at, off_reason)
    values (${merchantId}, ${place}, ${place}, 'sealed', '{payment,money}', 'en', now(), now(), ${offReason && sql.json(offReason)})`;
}
const pay = (merchantId: number) =>
  sql`select queue_pushes(${merchantId}, 'payment', null, 'ML-1', 49937, now(), now() + interval '1 hour', '{owner}')`;
const left = async () =>
  await sql`select (select count(*) from chats) as chats, (select count(*) from chat_messages) as messages`;

test('an upgrade from 0.2.0 notifies owners of live chats once, and leaves no address and no message', async () => {
  await openOlder();
  for (const merchantId of [1, 2, 3, 4])
    await sql`
      insert into merchants (merchant_id, name, plan, created_at, webhook_secret)
      values (${merchantId}, '', 'standard', now(), '')`;
  await addChat(1, 'Telegram -1001234');
  await addChat(1, 'hooks.slack.example');
  await addChat(1, 'gone.example', { code: 'answered', facts: { status: 403 } });
  await addChat(4, 'moved.example');
  await sql`update merchants set moved_at = now() where merchant_id = 4`;
  await addChat(2, 'lost.example', { code: 'answered', facts: { status: 403 } });
  await pay(1);
  assert.deepEqual(await left(), [{ chats: 5, messages: 2 }]);

  await migrate(sql);
  assert.deepEqual(await left(), [{ chats: 0, messages: 0 }]);
  const notices = await sql<{ merchant_id: number; kind: NoticeKind; facts: Facts; mailed_after: number }[]>`
    select n.merchant_id, kind, facts,
      extract(epoch from m.next_try_at - n.created_at)::int / 60 as mailed_after
    from notices n join mails m on m.merchant_id = n.merchant_id and m.notice_id = n.notice_id`;
  assert.deepEqual(
    notices.map(({ merchant_id, kind, mailed_after }) => [merchant_id, kind, mailed_after]),
    [[1, 'chat_off', 60]],
  );
  const said = sayNotice('en', notices[0]!);
  assert.equal(said?.subject, 'No more notices go to Telegram -1001234, hooks.slack.example');
  assert.match(said.text, /: Milaan no longer writes into chats\. .*devices and by mail/s);
  assert.match(sayNotice('hi', notices[0]!)!.text, /अब चैट में कुछ नहीं लिखता/);
});

test('a chat added by a process of 0.2.0 after the upgrade gets no payment, and is no lost secret', async () => {
  const secrets = secretBox([randomBytes(32)]);
  const lost = await countLostSecrets({ sql, secrets });
  await addChat(3, 'late.example');
  await pay(3);
  assert.equal(await countLostSecrets({ sql, secrets }), lost);
  assert.deepEqual(await left(), [{ chats: 1, messages: 0 }]);
});
