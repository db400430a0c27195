import { after, before } from 'node:test';
import { addBusyShop, type BusyShop } from './busy-shop.ts';
import { addTestUser, type Caller, callAs, type DashboardSite, openDashboard } from './dashboard-site.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

export let world: TestWorld;
export let site: DashboardSite;
export let shop: BusyShop;
export let stranger: TestMerchant;
/** The shop's owner, a stranger's owner, and the installation's operator. */
export let owner: Caller;
export let foreign: Caller;
export let operator: Caller;

/** The dashboard of a shop that has something of everything, and people who look at it. */
export function useBusyDashboard(): void {
  before(async () => {
    world = await openTestWorld();
    site = await openDashboard(world);
    shop = await addBusyShop(world);
    stranger = await addTestMerchant(world, { name: 'Someone else' });
    owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
    foreign = await callAs(site, world, await addTestUser(world, stranger.merchantId, 'owner'));
    operator = await callAs(site, world, await addTestUser(world, 0, 'operator'));
  });
  after(async () => {
    await site.stop();
    await world.stop();
  });
}

/** The audit rows and notices of a business, newest first. */
export async function traces(merchantId: number) {
  const auditEntries = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId} order by seq desc`;
  const notices = await world.sql<{ code: string }[]>`
    select facts -> 'deed' ->> 'code' as code from notices where merchant_id = ${merchantId} order by notice_id desc`;
  return { audited: auditEntries[0]?.action, notice: notices[0]?.code };
}
