import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { migrationNames } from '../../../src/base/database/migration-files.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const database = await openTestDatabase({ most: 2 });
after(() => database.stop());

const files = migrationNames();
const apply = (names: readonly string[]) =>
  names.map(name => readFileSync(`migrations/${name}`, 'utf8')).join('\n');

test('sentences stored as reasons are quoted unchanged, and rows without a reason get none', async () => {
  const quoted = (sentence: string) => ({ code: 'quoted', facts: { sentence } });
  await database.sql.begin(async tx => {
    await tx.unsafe(
      'create schema before; set local search_path to before; set local session_replication_role = replica',
    );
    await tx.unsafe(apply(files.filter(name => name < '0020')));
    await tx.unsafe(`
      insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, reason)
        values (1, 'a', 1, now(), 'INBOX', 'forged', 'It was forged.'), (1, 'b', 1, now(), 'INBOX', 'unjudged', '');
      insert into mailbox_states (merchant_id, last_error) values (1, 'It broke off.'), (2, null);
      insert into failing_destinations (merchant_id, destination, failing_since, failures, last_failure)
        values (1, 'shop.example', now(), 1, 'answered 500')`);
    await tx.unsafe(apply(files.filter(name => name >= '0020' && name < '0021')));
    assert.deepEqual(await tx.unsafe('select reason_code, facts from alerts order by alert_id'), [
      { reason_code: 'quoted', facts: { sentence: 'It was forged.' } },
      { reason_code: null, facts: {} },
    ]);
    assert.deepEqual(await tx.unsafe('select last_error from mailbox_states order by merchant_id'), [
      { last_error: quoted('It broke off.') },
      { last_error: null },
    ]);
    assert.deepEqual(await tx.unsafe('select last_failure from failing_destinations'), [
      { last_failure: quoted('answered 500') },
    ]);
    await tx.unsafe('drop schema before cascade');
  });
});

test('an order marked paid by hand counts one sold piece of its link', async () => {
  await database.sql.begin(async tx => {
    await tx.unsafe(`set local session_replication_role = replica;
      insert into merchants (merchant_id, name, plan, created_at, webhook_secret) values (1, '', 'standard', now(), '');
      insert into payment_links (merchant_id, link_id, token, title, amount_paise, stock, made_by, created_at)
        values (1, 'few', 't', 'Thali', 100, 5, '', now());
      insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, account_id, status,
          success_url, failure_url, webhook_url, created_at, expires_at, pay_token)
        values (1, 'o', 'till-o', 100, 101, 'a', 'pending', '', '', '', now(), now(), 'o');
      insert into order_purposes (merchant_id, order_id, purpose, link_id, created_at) values (1, 'o', '', 'few', now());
      set local session_replication_role = origin;
      update orders set status = 'paid', paid_at = now(), alert_id = 'o', received_paise = 101`);
    await tx`select count_piece(1, 'o')`;
    assert.deepEqual(await tx`select paid_pieces from payment_links`, [{ paid_pieces: 1 }]);
  });
});
