import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const receiver = use(startMailReceiver);
const world = use(() => openTestWorld({ SMTP_URL: receiver.url, MAIL_FROM: 'pay@milaan.example' }));
const site = use(() => openDashboard(world));
const shop = use(() => addTestMerchant(world, { account: { bank: 'equitas', accountDigits: null } }));
prepare(async () => {
  await connectedMailbox(world, shop.merchantId);
});
const owner = use(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));

const steps = '/dashboard/first-steps';

test('a bank that prints no digits: the owner is warned and offered an address that nobody knows, with its proof', async () => {
  const [mailbox] = await world.sql<{ address: string }[]>`
    select address from mailboxes where merchant_id = ${shop.merchantId}`;
  const [name, domain] = mailbox!.address.split('@');
  const page = (await owner.get(steps)).body;
  assert.match(page, /Equitas Small Finance Bank’s alerts print too few digits of the account \(0\)/);
  const extra = /name="extra" value="([^"]+)"/.exec(page)?.[1] ?? '';
  assert.match(extra, new RegExp(`^${name}\\+[0-9a-z]{10}@${domain}$`));

  const next = /name="next" value="(\/dashboard\/first-steps[^"]+)"/.exec(page)?.[1] ?? '';
  const added = await owner.post('/dashboard/mailbox/addresses', { extra, next });
  assert.equal(added.headers.location, next);
  const waiting = (await owner.get(steps)).body;
  assert.match(waiting, /on its way to/);
  assert.doesNotMatch(waiting, /name="extra"/, 'one such address is enough');

  const mail = receiver.mails.findLast(({ to }) => to.includes(extra))?.raw ?? '';
  const code = /Milaan code (\d{8})/.exec(mail)?.[1] ?? '';
  const confirmed = await owner.post('/dashboard/mailbox/addresses/confirm', { code, next });
  assert.equal(confirmed.headers.location, next);
  const ready = (await owner.get(steps)).body;
  assert.ok(ready.includes(`Enter ${extra} at your bank as your e-mail address.`), ready);
});

test('a bank that prints four digits needs no such address, and one that is gone cannot be chosen', async () => {
  const page = (await owner.get(`${steps}?bank=hdfc`)).body;
  assert.doesNotMatch(page, /your protection is weaker/);
  assert.doesNotMatch(page, /value="citi"/);
});
