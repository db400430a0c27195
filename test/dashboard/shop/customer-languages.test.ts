import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { counterRoutes } from '../../../src/orders/links/routes.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { customerTexts } from '../../../src/texts/customer-texts.ts';
import { furtherTags } from '../../../src/texts/language-tags.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addCheckout, addTestOrder, setPaid } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() =>
  openDashboard(world, async app => counterRoutes(app, world, await addCheckout(app, world))),
);
const merchant = use(() => addTestMerchant(world, { name: 'Asha' }));
prepare(() => connectedMailbox(world, merchant.merchantId));
const owner = use(async () => callAs(site, world, await addTestUser(world, merchant.merchantId, 'owner')));

const ask = (url: string, headers: Record<string, string> = {}) => site.app.inject({ url, headers });
const languageOf = async (url: string, accept?: string) =>
  /<html lang="(\w+)">/.exec((await ask(url, accept ? { 'accept-language': accept } : {})).body)![1];
const offered = async (url: string) =>
  [...(await ask(url)).body.matchAll(/<(?:a href="\?lang=\w+"|span) lang="(\w+)"/g)].map(([, tag]) => tag);
const switchOn = (...languages: string[]) =>
  owner.post(
    '/dashboard/settings/languages',
    languages.map(tag => ['language', tag]),
  );

async function addLink(): Promise<string> {
  const token = newPayToken(merchant.merchantId);
  await world.sql`insert into payment_links ${world.sql({
    merchant_id: merchant.merchantId,
    link_id: token.slice(0, 12),
    token,
    title: 'Tiffin',
    amount_paise: 9900,
    made_by: 'asha@shop.example',
    created_at: world.clock.now(),
  })}`;
  return `/l/${token}`;
}

test('a customer and their browser choose among English, Hindi and the languages that the shop switched on', async () => {
  const { path } = await addTestOrder(world, merchant);
  for (const url of [path, await addLink()]) {
    await switchOn();
    assert.deepEqual(await offered(url), ['en', 'hi']);
    assert.equal(await languageOf(`${url}?lang=ta`), 'en');
    assert.equal(await languageOf(url, 'ta-IN,ta;q=0.9,hi;q=0.5'), 'hi');
    assert.equal((await switchOn('ta', 'kn', 'xx', 'en')).statusCode, 303);
    assert.deepEqual(await offered(url), ['en', 'hi', 'ta', 'kn']);
    assert.equal(await languageOf(`${url}?lang=ta`), 'ta');
    assert.equal(await languageOf(url, 'ta-IN,ta;q=0.9,hi;q=0.5'), 'ta');
    assert.equal(await languageOf(url, 'te,kn;q=0.8,en;q=0.5'), 'kn');
    assert.equal(await languageOf(`${url}?lang=te`, 'bn'), 'en');
    assert.equal(await languageOf(`${url}?lang=en`, 'ta'), 'en');
    assert.match((await ask(url, { 'accept-language': 'ta' })).headers['vary'] as string, /Accept-Language/);
  }
});

test('another shop’s languages are not offered here', async () => {
  await switchOn('ta');
  const other = await addTestMerchant(world);
  const { path } = await addTestOrder(world, other);
  assert.deepEqual(await offered(path), ['en', 'hi']);
  assert.equal(await languageOf(`${path}?lang=ta`, 'ta'), 'en');
});

test('only the chosen language is sent: page, receipt and link have no text in another one, except its name', async () => {
  await switchOn(...furtherTags);
  const order = await addTestOrder(world, merchant);
  await setPaid(world, await addTestOrder(world, merchant));
  for (const tag of furtherTags) {
    const { body } = await ask(`${order.path}?lang=${tag}`);
    assert.ok(body.includes(customerTexts(tag).page.safety));
    for (const other of furtherTags.filter(one => one !== tag))
      assert.ok(!body.includes(customerTexts(other).page.safety), `${tag} with ${other}`);
    assert.doesNotMatch(body, /\{\d\}|undefined/);
  }
});

test('a receipt says its day in the customer’s language, with digits of 0 to 9', async () => {
  await switchOn('bn');
  const order = await addTestOrder(world, merchant);
  await setPaid(world, order);
  const { body } = await ask(`${order.path}?lang=bn&stay=1`);
  assert.match(body, /<dt>কে পেয়েছে<\/dt><dd><bdi>Asha<\/bdi>/);
  assert.match(body, /<bdi>15 নভেম্বর, 2026, দুপুর 12:00<\/bdi>/);
});

test('the language is kept: from a link to its payment, and after a reference was sent', async () => {
  await switchOn('gu');
  const link = await addLink();
  const pressed = await site.app.inject({
    method: 'POST',
    url: `${link}?lang=gu`,
    headers: { origin: world.baseUrl, 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
  assert.equal(pressed.statusCode, 303);
  assert.match(pressed.headers.location!, /\/pay\/[\w-]+\?lang=gu$/);
  assert.equal(await languageOf(new URL(pressed.headers.location!).pathname + '?lang=gu'), 'gu');
  const { path } = await addTestOrder(world, merchant);
  const claimed = await site.app.inject({
    method: 'POST',
    url: path,
    headers: { 'accept-language': 'gu', 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'reference=694512345678',
  });
  assert.equal(claimed.headers.location, '?lang=gu&claim=sent#claim');
});

test('without a known shop the customer’s choice is kept, and their browser chooses English or Hindi', async () => {
  const nowhere = `/pay/${newPayToken(merchant.merchantId)}`;
  assert.equal(await languageOf(`${nowhere}?lang=ta`), 'ta');
  assert.deepEqual(await offered(`${nowhere}?lang=ta`), ['en', 'hi', 'ta']);
  assert.equal(await languageOf(nowhere, 'ta,hi;q=0.5'), 'hi');
});

test('the settings show the languages to all who may view, and boxes only to those who may change', async () => {
  await switchOn('ta');
  const shown = (await owner.get('/dashboard/shop/customers')).body;
  assert.match(shown, /value="ta" checked/);
  assert.doesNotMatch(shown, /value="kn" checked/);
  const auditor = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'auditor'));
  const read = (await auditor.get('/dashboard/shop/customers')).body;
  assert.match(read, /English, हिन्दी, தமிழ்/);
  assert.doesNotMatch(read, /name="language" value="ta"/);
  assert.equal((await auditor.post('/dashboard/settings/languages', { language: 'kn' })).statusCode, 403);
  const log = (await owner.get('/dashboard/audit')).body;
  assert.match(log, /Chose the languages en, hi, ta/);
});

test('each text file of the widget has an ETag by its content, and a browser that has it gets 304', async () => {
  const tags = new Set<unknown>();
  for (const tag of furtherTags) {
    const url = `/embed/texts.${tag}.json`;
    const { headers, body } = await ask(url);
    assert.deepEqual(JSON.parse(body), customerTexts(tag).widget);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal((await ask(url, { 'if-none-match': headers['etag'] as string })).statusCode, 304);
    tags.add(headers['etag']);
  }
  assert.equal(tags.size, furtherTags.length);
});

test('the counter says each payment in the language that was chosen on the device', async () => {
  await switchOn('ta', 'te');
  await addTestOrder(world, merchant, { payable: 45_57 });
  const credit = await storedCredit(world, merchant.merchantId, { amount: paise(45_57) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  const said = async (cookie?: string) => {
    const { body } = await owner.get(
      '/dashboard/counter',
      cookie ? { cookie: `${owner.cookie}; ${cookie}` } : {},
    );
    return [/data-language="([\w-]+)"/.exec(body)![1], /data-say="([^"]*45[^"]*)"/.exec(body)![1]];
  };
  assert.deepEqual(await said(), ['en-IN', 'Received 45 rupees']);
  assert.deepEqual(await said('milaan-voice=ta; milaan-paise=on'), ['ta-IN', '45 ரூபாய் 57 பைசா வந்தது']);
  assert.deepEqual(await said('milaan-voice=xx'), ['en-IN', 'Received 45 rupees']);
});

test('page, receipt and link lead to the shop’s notice in the customer’s language, with periods of keeping and the contact', async () => {
  await switchOn(...furtherTags);
  const { sql } = world;
  const order = await addTestOrder(world, merchant);
  const paid = await addTestOrder(world, merchant);
  await setPaid(world, paid);
  for (const url of [order.path, `${paid.path}?stay=1`, await addLink()])
    for (const tag of ['en', ...furtherTags] as const) {
      const { body } = await ask(`${url}${url.includes('?') ? '&' : '?'}lang=${tag}`);
      const words = customerTexts(tag).page.notice;
      const [, notice = ''] = new RegExp(`<a href="(/[^"]+)">${words.link}</a>`).exec(body) ?? [];
      const page = await ask(notice.replaceAll('&amp;', '&'));
      assert.equal(page.statusCode, 200);
      assert.match(page.body, new RegExp(`<html lang="${tag}">`));
      assert.ok(page.body.includes(words.rightsText.replace('{shop}', 'Asha')), `${url} ${tag}`);
      assert.doesNotMatch(page.body, /\{\d\}|undefined|<script/);
    }
  const notice = `${order.path}/privacy`;
  assert.equal((await ask(notice)).body.split('As long as the shop uses this service.').length, 5);
  await sql`insert into plans (plan, history_days) values ('year', 365)`;
  await sql`update merchants set plan = 'year', keeps = '{"claims": 30}', contact_phone = '+919812345678' where merchant_id = ${merchant.merchantId}`;
  const { body } = await ask(notice);
  assert.deepEqual(
    [...body.matchAll(/For (\d+) days at most/g)].map(([, days]) => days),
    ['379', '379', '30'],
  );
  assert.ok(body.includes('href="tel:+919812345678"'));
  // Neither a made-up token nor another shop's business number leads anywhere.
  for (const stranger of [newPayToken(merchant.merchantId), 'x'])
    for (const path of [`/pay/${stranger}/privacy`, `/l/${stranger}/privacy`])
      assert.equal((await ask(path)).statusCode, 404);
  // Before somebody opens a business: what the operator does, and the whole table.
  const offer = await ask('/dashboard/sign-up');
  assert.ok(offer.body.includes('href="/dashboard/sign-up/privacy"'));
  const facts = await ask('/dashboard/sign-up/privacy');
  assert.match(facts.body, /Nothing is sold.*What your shop was sent/s);
});
