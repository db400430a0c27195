import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceAbout } from '../../../src/alerts/judging/notify-of-alerts.ts';
import { mailServices, serviceOf } from '../../../src/alerts/mailboxes/mail-services.ts';
import { readSettings } from '../../../src/alerts/mailboxes/read-settings.ts';
import { mailProviders } from '../../../src/operator/doctor/check-mail.ts';
import { because } from '../../../src/texts/verdicts.ts';
import { liveConfig } from '../../support/live-config.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const hostOf = (address: string) => {
  const credential = { kind: 'password', password: 'x' } as const;
  const read = readSettings({ config: liveConfig() }, { provider: 'zoho', address, credential });
  return read.ok && read.settings.host;
};

test('an address’s domain names its mail service; a custom domain may be at any', () => {
  const of = (address: string) => serviceOf(address).provider;
  assert.deepEqual(
    ['a@Gmail.com', 'a@hotmail.com', 'a@zoho.in', 'a@yahoo.co.in', 'a@chai.example', 'a@notgmail.com'].map(
      of,
    ),
    ['gmail', 'outlook', 'zoho', 'yahoo', 'other', 'other'],
  );
  for (const { name, source, checked } of mailServices) {
    assert.ok(source.length > 10, name);
    assert.match(checked, /^\d{4}-\d\d-\d\d$/);
  }
});

test('Zoho reads a custom domain on another server than its own addresses', () => {
  assert.equal(hostOf('shop@zohomail.in'), 'imap.zoho.in');
  assert.equal(hostOf('shop@chai.example'), 'imappro.zoho.in');
});

test('the owner of a Microsoft mailbox is not advised to switch a virus scanner off', () => {
  const change = because('text_added', { added: 'x' });
  assert.equal(adviceAbout(change).code, 'advice_text');
  assert.equal(adviceAbout(change, 'gmail').code, 'advice_text');
  assert.equal(adviceAbout(change, 'outlook').code, 'advice_microsoft');
});

test('the doctor names mailboxes at Microsoft, and a Google app in the state Testing by its seven days', async () => {
  const { sql, clock } = world;
  const connect = async (provider: string, days: number) => {
    const { merchantId } = await addTestMerchant(world);
    const address = `${provider}${merchantId}@chai.example`;
    const now = clock.now();
    await sql`
      insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
      values (${merchantId}, ${provider}, ${address}, 'x', 'x', 993, 'x', 1, ${now}::timestamptz - ${days} * interval '1 day')`;
    await sql`
      insert into mailbox_states (merchant_id, last_good_poll, last_error)
      values (${merchantId}, ${now}, ${sql.json(because('permission_ended'))})`;
  };
  assert.deepEqual(await mailProviders(sql), []);
  await connect('gmail', 30);
  assert.deepEqual(await mailProviders(sql), [], 'a permission that ended after a month was taken back');
  await connect('gmail', 7);
  await connect('outlook', 7);
  const [microsoft, google, ...more] = (await mailProviders(sql)).map(one => JSON.stringify(one));
  assert.match(microsoft ?? '', /1 at Outlook\.com, .*dkim_verifier.*not tried by us.*forwarding address/);
  assert.match(google ?? '', /1 sign-ins ended about seven days.*Testing/);
  assert.deepEqual(more, []);
});
