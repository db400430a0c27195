import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecretKey } from '../../src/base/secrets.ts';
import { checkPush } from '../../src/operator/doctor/check-routines.ts';
import { addTestMerchant, openTestWorld } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const world = use(openTestWorld);

test('the doctor reports push’s key, devices and refusals by push services, or the missing key', async () => {
  const { sql } = world;
  const { merchantId } = await addTestMerchant(world);
  const pushKey = Buffer.from(newSecretKey(), 'base64');
  const said = async (key: Buffer | null) => {
    const [finding] = await checkPush(sql, { pushKey: key });
    return `${finding?.state}: ${finding?.found}`;
  };
  assert.match(await said(null), /^ok: PUSH_KEY is not set/);
  assert.match(await said(pushKey), /^ok: key B[\w-]{11}…, 0 devices, last notified never$/);
  await sql`
    insert into users (merchant_id, user_id, email, role, password_hash, created_at)
    values (${merchantId}, 'u1', 'owner@push.example', 'owner', '', now())`;
  await sql`
    insert into push_devices (merchant_id, device_id, user_id, session_id, endpoint, p256dh, auth, agent, created_at)
    values (${merchantId}, 'dev_1', 'u1', 's', 'https://push.example/1', 'p', 'a', '', now())`;
  assert.match(await said(null), /^fault: 1 devices expect/);
  await sql`
    insert into pushes (merchant_id, device_id, created_at, next_try_at, useful_until, tries)
    values (${merchantId}, 'dev_1', now(), now() + interval '1 hour', now() + interval '1 hour', 1)`;
  assert.match(await said(pushKey), /^warning: .*1 notices were not accepted/);
});
