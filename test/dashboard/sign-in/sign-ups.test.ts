import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { hour, later } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import { inviteOwner } from '../../../src/business/accounts/register-merchant.ts';
import { differences, readPlans, selectPlans, storePlans } from '../../../src/business/merchants/plans.ts';
import { mailAwaiting } from '../../../src/operator/running/start-reporting.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import { languages } from '../../../src/texts/languages.ts';
import { namePlatform } from '../../../src/texts/name-platform.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const terms = 'https://pay.example.in/terms#2026-11';
const receiver = use(startMailReceiver);
const world = use(() =>
  openTestWorld({
    SIGNUPS: 'approve',
    SMTP_URL: receiver.url,
    MAIL_FROM: 'Milaan <pay@example.in>',
    OPERATOR_TERMS_URL: terms,
    OPERATOR_NAME: 'Asha Pay',
    OPERATOR_MAIL: 'help@asha.example',
  }),
);
const site = use(() => openDashboard(world));

/** Sends what is due and returns the link in the last mail to this address, or null when there is none. */
async function linkMailedTo(email: string): Promise<string | null> {
  const transport = createTransport({ url: receiver.url });
  while ((await sendMails(world, transport, 'Milaan <pay@example.in>')).sent > 0);
  transport.close();
  const mail = receiver.mails.findLast(({ to }) => to.includes(email));
  const text = mail?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return text ? (/http:\/\/localhost:\d+(\/dashboard\/\S+)/.exec(text)?.[1] ?? null) : null;
}

test('SIGNUPS=open and approve refuse to start live without SMTP, and the sandbox starts', () => {
  const live = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: 'postgres://x/',
    SECRET_KEY: '00'.repeat(32),
  };
  for (const SIGNUPS of ['open', 'approve']) {
    const read = readConfig([], { ...live, SIGNUPS });
    assert.ok('problems' in read && read.problems.join().includes(`SIGNUPS=${SIGNUPS} needs SMTP_URL`));
    const mailing = { SMTP_URL: 'smtp://mail.example.in', MAIL_FROM: 'pay@example.in' };
    assert.ok('config' in readConfig([], { ...live, SIGNUPS, ...mailing }));
    assert.ok('config' in readConfig([], { SIGNUPS }), 'the sandbox');
  }
});

test('SIGNUPS=approve: a new business has ₹5,000 a month at first, an invited one has no such limit; terms are agreed to by address', async () => {
  const { email: operator } = await addTestUser(world, 0, 'operator');
  const stranger = await callAs(site, world, null);
  await stranger.post('/dashboard/sign-up', { name: 'Naya', email: 'self@naya.example' });
  const own = (await linkMailedTo('self@naya.example'))!;
  const page = (await stranger.get(own)).body;
  assert.match(
    page,
    /name="terms" value="https:\/\/pay\.example\.in\/terms#2026-11"[\s\S]*Run by[\s\S]*mailto:help@asha\.example/,
  );
  const fields = { name: 'Naya', password: 'a password for the shop' };
  for (const other of ['', terms.replace('2026', '2025')])
    assert.match(
      (await stranger.post(own, { ...fields, terms: other })).body,
      /Read the terms and agree to them/,
    );
  assert.equal((await stranger.post(own, { ...fields, terms })).statusCode, 303);
  const invited = await world.sql.begin(tx =>
    inviteOwner(tx, world, { name: 'Asked', email: 'asked@naya.example', madeBy: 'operator' }),
  );
  await stranger.post(new URL(invited).pathname, { ...fields, terms });
  const rows = await world.sql`
    select u.email, m.plan, p.monthly_limit_paise, m.terms_version, m.terms_accepted_at
    from users u join merchants m using (merchant_id) join plans p using (plan)
    where u.email in ('self@naya.example', 'asked@naya.example') order by u.email desc`;
  const agreed = { terms_version: terms, terms_accepted_at: world.clock.now() };
  assert.deepEqual(
    rows.map(row => ({ ...row })),
    [
      { email: 'self@naya.example', plan: 'unapproved', monthly_limit_paise: 500_000, ...agreed },
      { email: 'asked@naya.example', plan: 'standard', monthly_limit_paise: null, ...agreed },
    ],
  );
  const [first, second] = await Promise.all([mailAwaiting(world), mailAwaiting(world)]);
  assert.equal(first + second, 1, 'two processes tell once');
  assert.match((await linkMailedTo(operator)) ?? '', /\/dashboard\/operator$/);
  const mail = receiver.mails.findLast(({ to }) => to.includes(operator))!;
  assert.match(mail.raw, /New businesses wait for your approval: 1[\s\S]*Asha Pay\r\nhelp@asha\.example/);
  await world.sql`update merchants set word_asked_at = null`;
  world.clock.advance(hour - 1);
  await world.sql`insert into merchants (merchant_id, name, plan, created_at, webhook_secret, word_asked_at)
    values (9, 'Told', 'standard', ${world.clock.now()}, '', ${later(world.clock.now(), 1 - hour)})`;
  assert.equal(await mailAwaiting(world), 0, 'one mail an hour');
  world.clock.advance(1);
  assert.equal(await mailAwaiting(world), 1);
  // Plans that a file does not name go, and this one stays.
  await storePlans(world.sql, readPlans(null));
  assert.equal((await world.sql`select from plans where plan = 'unapproved'`).length, 1);
  assert.deepEqual(differences(await selectPlans(world.sql), readPlans(null)), []);
});

test('the platform’s name replaces ours, and a business whose name contains the word keeps it', async () => {
  const [english, hindi] = languages;
  namePlatform('Asha Pay');
  assert.deepEqual([english!.shell.product, hindi!.shell.product], ['Asha Pay', 'Asha Pay']);
  assert.match(english!.pushes.offlineText, /^Asha Pay shows no payment/);
  assert.match(hindi!.pushes.offlineText, /Asha Pay/);
  const join = english!.mails.join({ by: 'x', business: 'Milaan Sweets', link: '' });
  assert.equal(join.subject, 'Join Milaan Sweets on Asha Pay');
  assert.match(english!.mails.probe.subject, /^Milaan probe/, 'filters know it');
  assert.equal(hindi!.statement.compare, 'मिलान करें');
  namePlatform('Milaan');
});
