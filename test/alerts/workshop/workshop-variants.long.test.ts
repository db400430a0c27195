import assert from 'node:assert/strict';
import { bankMail, canara, hdfc } from '../../support/bank-mail.ts';
import { phone } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { samples } from './sample-mails.ts';
import { teach, useWorkshop, visit } from './workshop-visit.ts';

const { test } = needs('Chromium');

useWorkshop();

for (const alert of [hdfc, canara])
  test(`a person who does not know the code teaches ${alert.bank}, whose file is removed, by tapping`, t =>
    teach(t, alert));

for (const language of ['en', 'hi'])
  test(`the workshop fits a phone from the first page to the draft (${language})`, async () => {
    const { alert, chosen } = samples.find(one => one.alert.bank === 'axis')!;
    const { page, close } = await visit({ ...phone, locale: `${language}-IN` }, `?lang=${language}`);
    const fits = async () =>
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), page.url());
    await fits();
    const file = { name: 'a.eml', mimeType: 'message/rfc822', buffer: bankMail(alert) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('main form[enctype] button.button').last().click();
    for (const [name, value] of Object.entries(chosen)) await page.locator(`input[name=${name}]`).fill(value);
    await page.locator('input[name=bank_name]').fill('Axis Bank');
    await fits();
    await page.locator('main form > .actions button').click();
    await page.locator('#draft').waitFor();
    await fits();
    await close();
  });
