import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { wrongKey } from '../../support/doubted-shop.ts';
import {
  accept,
  heldMail,
  number,
  shop,
  sum,
  useHeldMails,
  visit,
  which,
} from '../../support/held-mail-stage.ts';
import { needs } from '../../support/needs.ts';
import { readRaw } from '../../support/read-raw.ts';

const { test } = needs('Chromium');

useHeldMails();

const choose = (page: Page, group: RegExp, name: string | RegExp) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name }).check();

test('a second mail of the same signature or reference is refused with the reason', async () => {
  const { world } = shop.api;
  const reference = '615300445566';
  const first = await heldMail({ reference });
  const raw = (await readRaw(world.sql, shop.merchant.merchantId, first.alertId))!;
  const copy = await world.sql.begin(tx =>
    storeMail(tx, {
      merchantId: shop.merchant.merchantId,
      raw: Buffer.concat([Buffer.from('X-Copy: 1\r\n'), raw]),
      arrivedAt: world.clock.now(),
      foundIn: 'INBOX/1/9',
    }),
  );
  const reportedAgain = await heldMail({ reference });
  const { page, go, close } = await visit();
  const take = async (alertId: string, orderId: string) => {
    await go(`/dashboard/money/held/${alertId}`);
    await choose(page, sum, /₹/);
    await choose(page, number, reference);
    await choose(page, which, new RegExp(orderId));
    await accept(page).click();
  };
  await take(first.alertId, first.order.order_id);
  await page.getByText('The order is paid.').waitFor();
  for (const alertId of [copy.alertId, reportedAgain.alertId]) {
    await take(alertId, reportedAgain.order.order_id);
    await page.getByText('Its signature or reference has counted before').waitFor();
    assert.equal(await shop.statusOf(reportedAgain.order.order_id), 'pending');
  }
  assert.deepEqual(await findBreaches(world), []);
  await close();
});

test('a mail of doubtful origin has neither this link nor this screen', async () => {
  const { alertId, path } = await heldMail({ key: wrongKey });
  const { page, go, close } = await visit();
  await go('/dashboard/money/refused');
  await page.locator(`#${alertId}`).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Read it yourself …' }).count(), 0);
  assert.equal((await go(path))?.status(), 404);
  assert.equal(await accept(page).count(), 0);
  await close();
});
