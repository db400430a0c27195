import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForwarding } from '../../../src/alerts/forwarding/open-forwarding.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const world = use(() => openTestWorld({ MAIL_DOMAIN: 'in.milaan.example' }));
const site = use(() => openDashboard(world));
const shop = use(() => addTestMerchant(world, { account: { bank: 'equitas', accountDigits: null } }));
prepare(async () => {
  await connectedMailbox(world, shop.merchantId);
});
const owner = use(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));

const steps = '/dashboard/first-steps';

test('if a bank prints no digits, the owner is warned and led to the secret address', async () => {
  const page = (await owner.get(steps)).body;
  assert.match(page, /Equitas Small Finance Bank’s alerts print too few digits of the account \(0\)/);
  assert.match(page, /Open a forwarding address, which nobody can guess/);
  const address = await world.sql.begin(tx =>
    openForwarding(tx, { ...shop, mailDomain: 'in.milaan.example', now: world.clock.now() }),
  );
  assert.ok((await owner.get(steps)).body.includes(`Nobody can guess your forwarding address ${address}`));
});

test('a bank that prints four digits needs no secret address, and a closed bank cannot be chosen', async () => {
  const page = (await owner.get(`${steps}?bank=hdfc`)).body;
  assert.doesNotMatch(page, /your protection is weaker/);
  assert.doesNotMatch(page, /value="citi"/);
});
