import assert from 'node:assert/strict';
import { axis, bankMail, slice } from '../../support/bank-mail.ts';
import { desktop } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { teach, useWorkshop, visit } from './workshop-visit.ts';

const { test } = needs('Chromium');

useWorkshop();

test('a person who does not know the code teaches slice, whose file is removed, by tapping on a phone', t =>
  teach(t, slice));

test('without script the same is typed, and no word of the mail becomes markup', async () => {
  const { page, close } = await visit({ ...desktop, javaScriptEnabled: false });
  const buffer = bankMail(axis);
  await page
    .getByLabel('Saved mail (.eml)')
    .setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer });
  await page.getByRole('button', { name: 'Show this mail' }).click();
  await page.getByLabel('Amount').fill('77.00');
  await page.getByLabel('Name of the new bank').fill('Axis');
  await page.getByRole('button', { name: 'Draft and try it' }).click();
  await page.getByText('does not stand in the mail').waitFor();
  assert.equal(await page.locator('.mail-words button').count(), 0);
  await close();
});
