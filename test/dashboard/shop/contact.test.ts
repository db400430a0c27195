import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { readPhone } from '../../../src/dashboard/shop/contact.ts';
import { qrPng } from '../../../src/orders/upi-link.ts';
import { addCheckout, addTestOrder, setStatus } from '../../support/checkout-site.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

const world = use(openTestWorld);
const site = use(() => openDashboard(world, app => addCheckout(app, world)));
const merchant = use(() => addTestMerchant(world));
const owner = use(async () => callAs(site, world, await addTestUser(world, merchant.merchantId, 'owner')));

const given = { phone: '098123 45678', whatsapp: '+91 98123-45678', email: 'Meera+Shop@chai.example' };
const pageOf = async (path: string) => (await site.app.inject({ url: path })).body;

test('the owner’s contact is on every page state that refers to the shop, and on no other', async () => {
  const { status, paths } = await states();
  for (const path of paths) assert.doesNotMatch(await pageOf(path), /id="contact"/);
  assert.equal((await owner.post('/dashboard/settings/contact', given)).statusCode, 303);
  for (const [at, path] of paths.entries()) {
    const text = await pageOf(path);
    const shown = /<section id="contact"[^>]*>/.exec(text)![0];
    const sendsToShop = /contact the shop|The shop decides/i.test(visible(text));
    assert.equal(!shown.includes(' hidden'), sendsToShop, status[at]);
    assert.equal(sendsToShop, ['claimed', 'over', 'failed', 'review'].includes(status[at]!), status[at]);
    assert.ok(text.includes('href="tel:+919812345678"'));
    assert.match(text, /href="https:\/\/wa\.me\/919812345678\?text=Order%20ML-\d{10}"/);
    assert.match(text, /href="mailto:meera%2Bshop@chai\.example\?subject=Order%20ML-\d{10}"/);
  }
});

/** The visible text of the page: no hidden section, and no attribute. */
function visible(text: string): string {
  return text
    .replace(/<section[^>]* hidden>.*?<\/section>/gs, '')
    .replace(/<section id="contact".*?<\/section>/gs, '')
    .replace(/<form[^>]* hidden>.*?<\/form>/gs, '')
    .replace(/<[^>]*>/g, '');
}

async function states(): Promise<{ status: string[]; paths: string[] }> {
  const made = async (status: string | null, age: number, query = '') => {
    const order = await addTestOrder(world, merchant, { age });
    if (status !== null) await setStatus(world, order, status);
    return order.path + query;
  };
  return {
    status: ['pending', 'claimed', 'expired', 'late', 'over', 'failed', 'review'],
    paths: [
      await made(null, 0),
      await made(null, 2 * minute, '?claim=sent'),
      await made(null, 6 * minute),
      await made(null, 6 * minute, '?stay=1'),
      await made(null, 20 * minute),
      await made('failed', 0),
      await made('manual_review', 0),
    ],
  };
}

test('an invalid contact is explained next to its field, with the typed text, and nothing is saved', async () => {
  for (const [field, value, words] of [
    ['phone', '12345', 'not a telephone number'],
    ['whatsapp', '1800 123 4567', 'not a mobile number'],
    ['email', '"><script>', 'not a mail address'],
  ] as const) {
    const { statusCode, body } = await owner.post('/dashboard/settings/contact', {
      ...given,
      [field]: value,
    });
    assert.equal(statusCode, 400);
    assert.match(body, new RegExp(words));
    assert.doesNotMatch(body, /"><script>/);
  }
  assert.match((await owner.get('/dashboard/shop/customers')).body, /value="\+919812345678"/);
});

test('an empty field removes the address; the change is audited, and the owner is notified', async () => {
  assert.equal(
    (await owner.post('/dashboard/settings/contact', { phone: '', whatsapp: '', email: '' })).statusCode,
    303,
  );
  assert.doesNotMatch(
    await pageOf((await addTestOrder(world, merchant, { age: 20 * minute })).path),
    /id="contact"/,
  );
  const rows = await world.sql`
    select subject from audit_log where merchant_id = ${merchant.merchantId} and action = 'business.contact' order by seq`;
  assert.deepEqual(
    rows.map(row => row['subject']),
    ['+919812345678, +919812345678, meera+shop@chai.example', ''],
  );
  assert.match((await owner.get('/dashboard/to-do')).body, /no longer give customers a contact/);
});

test('one Save covers the whole page: only changes are recorded, and one wrong field saves nothing', async () => {
  const { merchantId } = await addTestMerchant(world, { name: 'Before' });
  const { cookie } = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const form = (fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    // Browsers send an empty file where none was chosen.
    body.set('logo', new Blob([]), '');
    return body;
  };
  const path = '/dashboard/shop/customers';
  const typed = {
    name: 'After',
    phone: '9812345678',
    whatsapp: '',
    email: '',
    colour: '#0b6b4f',
    language: 'ta',
  };
  const stored = async () => {
    const [row] = await world.sql`
      select name, contact_phone, colour, logo, languages from merchants where merchant_id = ${merchantId}`;
    return Object.values(row!);
  };
  const entries = async () => {
    const rows = await world.sql`select action from audit_log where merchant_id = ${merchantId} order by seq`;
    return rows.map(row => row['action']);
  };
  const wrong = await send(path, form({ ...typed, phone: '12' }), cookie);
  assert.equal(wrong.statusCode, 400);
  assert.match(
    wrong.body,
    /value="After"[\s\S]*value="ta" checked[\s\S]*a telephone number that a customer could call/,
  );
  assert.deepEqual(await stored(), ['Before', null, null, null, []]);
  assert.equal((await send(path, form(typed), cookie)).headers.location, path);
  assert.deepEqual(await stored(), ['After', '+919812345678', null, null, ['ta']]);
  assert.deepEqual(await entries(), ['business.rename', 'business.languages', 'business.contact']);
  assert.equal((await send(path, form({ ...typed, colour: '#112233' }), cookie)).statusCode, 303);
  assert.equal((await send(path, form({ ...typed, colour: '#112233', ours: 'on' }), cookie)).statusCode, 303);
  assert.deepEqual(await stored(), ['After', '+919812345678', null, null, ['ta']]);
  assert.deepEqual((await entries()).slice(3), ['business.look', 'business.look']);
  // A form of the previous release has one part alone.
  const old = await callAs(site, world, await addTestUser(world, merchantId, 'manager'));
  assert.equal((await old.post('/dashboard/settings/name', { name: 'Again' })).headers.location, path);
  assert.deepEqual(await stored(), ['Again', '+919812345678', null, null, ['ta']]);
});

test('a person without the right to change sees the contact and no form', async () => {
  const auditor = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'auditor'));
  const { body } = await auditor.get('/dashboard/shop/customers');
  assert.match(body, /<dt>WhatsApp</);
  assert.doesNotMatch(body, /<form method="post" action=".dashboard.shop/);
});

test('phone numbers are accepted as people write them in India, and with a country code', () => {
  for (const [text, number] of [
    ['9812345678', '+919812345678'],
    ['98123 45678', '+919812345678'],
    ['0 98123-45678', '+919812345678'],
    ['919812345678', '+919812345678'],
    ['+91 (98123) 45678', '+919812345678'],
    ['080 4123 4567', '+918041234567'],
    ['1800 123 4567', '18001234567'],
    ['0044 20 7946 0958', '+442079460958'],
    ['12345', null],
    ['98123456789', null],
    ['call me', null],
    ['+0123456789', null],
  ] as const)
    assert.equal(readPhone(text), number, text);
});

async function uploadLogo(bytes: Uint8Array<ArrayBuffer>, cookie = owner.cookie) {
  const body = new FormData();
  body.set('logo', new Blob([bytes], { type: 'image/svg+xml' }), 'logo.svg');
  return await send('/dashboard/settings/look/logo', body, cookie);
}

async function send(url: string, body: FormData, cookie = owner.cookie) {
  const form = new Response(body);
  return await site.app.inject({
    method: 'POST',
    url,
    headers: {
      cookie,
      origin: world.baseUrl,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
      'content-type': form.headers.get('content-type')!,
    },
    payload: Buffer.from(await form.arrayBuffer()),
  });
}

test('a logo is on the page, served from our origin as its bytes’ type, for ever; an older one is gone', async () => {
  const { path } = await addTestOrder(world, merchant);
  const logoOf = async () => /src="(\/shop-logos\/[^"]+)"/.exec(await pageOf(path))?.[1];
  assert.equal(await logoOf(), undefined);
  const pictures = ['a', 'b'].map(text => new Uint8Array(qrPng(text)));
  const addresses: string[] = [];
  for (const picture of pictures) {
    assert.equal((await uploadLogo(picture)).statusCode, 303);
    addresses.push((await logoOf())!);
  }
  const [older, newer] = addresses as [string, string];
  const served = await site.app.inject({ url: newer });
  assert.deepEqual(new Uint8Array(served.rawPayload), pictures[1]);
  assert.equal(served.headers['content-type'], 'image/png');
  assert.equal(served.headers['x-content-type-options'], 'nosniff');
  assert.equal(served.headers['content-security-policy'], "default-src 'none'; sandbox");
  assert.match(String(served.headers['cache-control']), /immutable/);
  for (const gone of [
    older,
    newer.replace(/\d+/, '1'),
    '/shop-logos/x/y',
    `${newer}%00`,
    newer.replace('png', 'svg'),
  ])
    assert.equal((await site.app.inject({ url: gone })).statusCode, 404, gone);
  assert.equal((await owner.post('/dashboard/settings/look/logo/remove')).statusCode, 303);
  assert.equal(await logoOf(), undefined);
  assert.equal((await site.app.inject({ url: newer })).statusCode, 404);
});

test('a file that is no picture is refused next to its field, and a person without the right uploads nothing', async () => {
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const refused = await uploadLogo(svg);
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /This is not a PNG, JPEG or WebP picture/);
  assert.match((await uploadLogo(new Uint8Array(70_000))).body, /more than 64 KB/);
  const auditor = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'auditor'));
  assert.equal((await uploadLogo(new Uint8Array(qrPng('a')), auditor.cookie)).statusCode, 403);
  const rows = await world.sql`select from shop_logos where merchant_id = ${merchant.merchantId}`;
  assert.equal(rows.length, 0);
});

test('a colour reaches the page in our own stylesheet; an unreadable one is darkened', async () => {
  const { path } = await addTestOrder(world, merchant);
  const save = (colour: string) => owner.post('/dashboard/settings/look/colour', { colour });
  assert.equal((await save('#FFD400')).statusCode, 303);
  assert.match(await pageOf(path), /<link rel="stylesheet" href="\/shop-colours\/ffd400\.css">/);
  const css = await site.app.inject({ url: '/shop-colours/ffd400.css' });
  assert.match(css.body, /^:root\{--deep:#[0-9a-f]{6};--on-deep:#ffffff;--tint:#[0-9a-f]{6}\}@media/);
  assert.doesNotMatch(css.body, /--deep:#ffd400;--on-deep:#fff/);
  for (const wrong of ['', 'red', 'ffd40', 'ffd400}'])
    assert.equal((await save(wrong)).statusCode, 400, wrong);
  for (const wrong of ['FFD400.css', 'ffd400', 'ffd400%7D.css'])
    assert.equal((await site.app.inject({ url: `/shop-colours/${wrong}` })).statusCode, 404, wrong);
  assert.equal((await owner.post('/dashboard/settings/look/colour', { ours: 'yes' })).statusCode, 303);
  assert.doesNotMatch(await pageOf(path), /shop-colours/);
});

test('the screen runs its queries in parallel: other parts are read while one waits', async () => {
  const { sql } = world;
  const [clock] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  // Both are reserved, because a query of this test would overwrite what a connection of the page did last.
  const [holder, watcher] = [await sql.reserve(), await sql.reserve()];
  // Only the rule about late payments reads orders.
  await holder.unsafe('begin; lock table orders in access exclusive mode');
  const page = owner.get('/dashboard/shop/rules');
  const isRead = async () =>
    (
      await watcher`
        select from pg_stat_activity where datname = current_database() and state = 'idle' and pid <> pg_backend_pid()
          and query ~ 'cap_added' and query_start > ${clock!.now}`
    ).length > 0;
  try {
    await waitFor('a rule that follows it is read', isRead, 20 * second);
  } finally {
    await holder.unsafe('rollback');
    holder.release();
    watcher.release();
  }
  assert.equal((await page).statusCode, 200);
});
