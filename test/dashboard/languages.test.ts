import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { allRoutes } from '../../src/dashboard/all-routes.ts';
import { createProofOrder } from '../../src/dashboard/first-steps/create-proof-order.ts';
import { sendMails } from '../../src/outbox/mails/send-mails.ts';
import { textsIn } from '../../src/texts/languages.ts';
import { because } from '../../src/texts/verdicts.ts';
import { addBusyShop } from '../support/busy-shop.ts';
import { addTestUser, callAs, openDashboard } from '../support/dashboard-site.ts';
import { startMailReceiver } from '../support/mail-receiver.ts';
import { openTestWorld } from '../support/test-world.ts';
import { use } from '../support/use.ts';

const receiver = use(startMailReceiver);
const world = use(() => openTestWorld({ SMTP_URL: receiver.url, MAIL_FROM: 'Milaan <pay@example.in>' }));
const site = use(() => openDashboard(world));
const shop = use(() => addBusyShop(world, 'Chai'));
const owner = use(() => addTestUser(world, shop.merchantId, 'owner'));
const operator = use(() => addTestUser(world, 0, 'operator'));

/** Sends what is due and returns the last mail to this address as its reader sees it. */
async function mailTo(email: string): Promise<{ subject: string; text: string; link: string }> {
  const transport = createTransport({ url: receiver.url });
  await sendMails(world, transport, 'Milaan <pay@example.in>');
  transport.close();
  const raw = receiver.mails.findLast(({ to }) => to.includes(email))?.raw ?? '';
  const { subject = '', text = '' } = await PostalMime.parse(raw);
  return { subject, text, link: /http:\/\/localhost:\d+(\/dashboard\/\S+)/.exec(text)?.[1] ?? '' };
}

const inHindi = { 'accept-language': 'hi' };
const hindi = /[\u0900-\u097f]/;

test('a person who opens a business on a Hindi page gets mails in Hindi from the first one', async () => {
  const stranger = await callAs(site, world, null);
  const before = world.config;
  world.config = { ...before, signups: 'open' };
  await stranger.post('/dashboard/sign-up', { name: 'चाय', email: 'priya@shop.example' }, inHindi);
  const mail = await mailTo('priya@shop.example');
  assert.match(mail.subject, /व्यवसाय खोलें/);
  const opened = await stranger.post(mail.link, { name: 'चाय', password: 'correct horse battery' }, inHindi);
  assert.equal(opened.statusCode, 303);
  const [user] = await world.sql`select language from users where email = 'priya@shop.example'`;
  assert.equal(user!['language'], 'hi');
  // From a borrowed English browser too: the account knows its reader.
  await stranger.post('/dashboard/recover', { email: 'priya@shop.example' });
  assert.match((await mailTo('priya@shop.example')).subject, /नया पासवर्ड/);
  await stranger.post('/dashboard/sign-up', { name: 'x', email: 'priya@shop.example' });
  assert.match((await mailTo('priya@shop.example')).subject, /खाता पहले से है/);
  world.config = before;
});

test('before sign-in a link chooses the language, which every following page keeps', async () => {
  const stranger = await callAs(site, world, null);
  const english = await stranger.get('/dashboard/sign-in');
  assert.match(english.body, /<a href="\?lang=hi" lang="hi"/);
  const chosen = await stranger.get('/dashboard/sign-in?lang=hi');
  assert.match(chosen.body, /<html lang="hi">/);
  const cookie = String(chosen.headers['set-cookie']).split(';')[0]!;
  assert.match(cookie, /^milaan-language=hi$/);
  assert.match((await stranger.get('/dashboard/recover', { cookie })).body, /<html lang="hi">/);
  const refused = await stranger.post('/dashboard/sign-in', { email: 'a@b.in', password: 'x' }, { cookie });
  assert.match(refused.body, /<html lang="hi">/);
  const odd = await stranger.get('/dashboard/sign-in?lang=%0d%0aset-cookie:x', {
    cookie: 'milaan-language=zz',
  });
  assert.equal(odd.headers['set-cookie'], undefined);
  assert.match(odd.body, /<html lang="en">/);
});

test('an invitation has its sender’s language, and a person who joins on a Hindi page keeps Hindi', async () => {
  const caller = await callAs(site, world, owner);
  await caller.post('/dashboard/team/invite', { email: 'ravi@shop.example', role: 'support' }, inHindi);
  const mail = await mailTo('ravi@shop.example');
  assert.match(mail.subject, /मिलान पर Chai से जुड़ें/);
  const stranger = await callAs(site, world, null);
  await stranger.post(mail.link, { password: 'correct horse battery' }, inHindi);
  const [user] = await world.sql`select language from users where email = 'ravi@shop.example'`;
  assert.equal(user!['language'], 'hi');
  await caller.post('/dashboard/team/invite', { email: 'asha@shop.example', role: 'support' });
  assert.match((await mailTo('asha@shop.example')).subject, /^Join Chai/);
});

test('the code for an extra alert address is mailed in the language of the requesting page', async () => {
  const caller = await callAs(site, world, owner);
  await caller.post('/dashboard/mailbox/addresses', { extra: 'bank@shop.example' }, inHindi);
  const raw = receiver.mails.findLast(({ to }) => to.includes('bank@shop.example'))?.raw ?? '';
  const { subject = '', text = '' } = await PostalMime.parse(raw);
  assert.match(subject, /^Milaan code \d{8}$/);
  assert.match(text, /कोड किसी अनजान को कभी न दें/);
});

test('every action of the audit log has its words, and no words are unused', () => {
  const source = globSync('src/**/*.ts').map(path => readFileSync(path, 'utf8'));
  const actions = source.flatMap(text =>
    [...text.matchAll(/\baction: '([a-z_.]+)'/g)].map(([, action]) => action!),
  );
  // Rows of release 0.2.0 are still shown.
  const ofBefore = ['business.move', 'chat.add', 'chat.test', 'chat.remove'];
  assert.deepEqual([...new Set([...actions, ...ofBefore])].sort(), Object.keys(textsIn('en').audit).sort());
});

/** The visible text: no markup, and no quoted parts (code, names, addresses). */
function shownText(body: string): string {
  return (
    body
      .replaceAll(/<(script|style|svg|pre|code|bdi|title|time)\b[\s\S]*?<\/\1>/g, ' ')
      .replaceAll(/“[^”]*”/g, ' ')
      .replaceAll(/<option[\s\S]*?<\/option>/g, ' ')
      // A poster has both languages, each with its language tag.
      .replaceAll(/<div lang="en">[\s\S]*?<\/div>/g, ' ')
      .replaceAll(/<[^>]*>/g, '\n')
      .replaceAll(/&[a-z#0-9]+;/g, ' ')
  );
}

const names =
  /\b(Google|Gmail|Outlook|Microsoft|Zoho|Yahoo|Mail|Chai|HDFC|Bank|UPI|ID|API|IMAP|PhonePe|App|Security|passwords?|account|Generate|Account|security|Content-Type|Indian|Overseas)\b/g;

test('a Hindi page has no English sentence, whatever is stored', async () => {
  const { merchantId } = shop;
  const refused = because('login_refused_saying', {
    hint: because('hint_other'),
    words: 'NO go away please',
  });
  await world.sql`
    update mailbox_states set last_error = ${world.sql.json(refused)},
      needs_login = true, last_good_poll = ${new Date(0)} where merchant_id = ${merchantId}`;
  await world.sql.begin(tx => createProofOrder(tx, world, merchantId));
  await (await callAs(site, world, owner)).post('/dashboard/settings/name', { name: 'Chai' });
  const examples: Record<string, string> = {
    order_id: shop.paid.orderId,
    account_id: shop.accountId,
    key_id: shop.keyId,
    merchant_id: String(merchantId),
    userId: owner.userId,
    month: '2026-05',
    token: 'x'.repeat(52),
  };
  let read = 0;
  for (const route of allRoutes) {
    if (route.method !== 'GET' || /\.csv|fragment|export/.test(route.path)) continue;
    const isOpen = route.permission === 'anyone';
    const caller = await callAs(
      site,
      world,
      isOpen ? null : route.permission === 'operator' ? operator : owner,
    );
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => examples[name] ?? 'x');
    const { body, statusCode } = await caller.get(path, inHindi);
    if (route.path.startsWith('/dashboard/operator')) {
      if (/<html/.test(body)) assert.match(body, /<html lang="en"/, path);
      continue;
    }
    if (statusCode === 303 || !hindi.test(body)) continue;
    read++;
    const english = shownText(body)
      .replaceAll(names, ' ')
      .split('\n')
      .filter(line => /[A-Za-z]{2,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}/.test(line));
    assert.deepEqual(english, [], path);
  }
  assert.ok(read > 30, `only ${read} pages were read`);
});

test('a mail about a role names the roles in its own language', () => {
  const facts = {
    business: 'Chai Point',
    by: 'a@b.example',
    before: because('auditor'),
    after: because('manager'),
  };
  assert.match(textsIn('en').mails.role(facts).text, /from auditor to manager/);
  assert.match(textsIn('hi').mails.role(facts).text, /लेखा परीक्षक से बदलकर प्रबंधक/);
  assert.doesNotMatch(textsIn('hi').mails.role(facts).text, /auditor|manager/);
});
