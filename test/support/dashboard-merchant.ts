import { randomBytes } from 'node:crypto';
import { later } from '../../src/base/clock.ts';
import { randomBase62, randomDigits } from '../../src/base/random.ts';
import { payableTime } from '../../src/base/time-windows.ts';
import { record } from '../../src/business/accounts/audit.ts';
import { makeLink } from '../../src/business/accounts/links.ts';
import type { Role } from '../../src/business/accounts/may-do.ts';
import { newPayToken } from '../../src/orders/order.ts';
import { because } from '../../src/texts/verdicts.ts';
import { addPeople } from './add-people.ts';
import { boughtPlan } from './bought-plan.ts';
import type { TestUser } from './dashboard-site.ts';
import { addTestMerchant, type TestWorld } from './test-world.ts';

/** A business with one person of each role and a row in every table, for whoever tries to reach what is not theirs. */
export type FilledMerchant = {
  merchantId: number;
  name: string;
  users: Record<Role, TestUser>;
  /** The value of each path parameter, by its name without underscores in lower case. */
  examples: Record<string, string>;
};

export async function fillMerchant(world: TestWorld): Promise<FilledMerchant> {
  const { sql, clock } = world;
  const now = clock.now();
  const suffix = randomBase62(10).toLowerCase();
  const name = `Shop ${suffix}`;
  const { merchantId, keyId, accountId } = await addTestMerchant(world, { name });
  const merchant_id = merchantId;
  const users = await addPeople(world, merchantId, suffix);
  const inserts: string[] = [];
  const values: unknown[] = [];
  const insert = (table: string, row: Record<string, unknown>) => {
    const places = Object.values(row).map(value => `$${values.push(value)}`);
    inserts.push(`insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})`);
  };
  const [orderId, alertId, eventId] = [`ML-${randomDigits(10)}`, `alt_${suffix}`, `evt_${suffix}`];
  insert('orders', {
    merchant_id,
    order_id: orderId,
    merchant_order_id: `cart ${suffix}`,
    amount_paise: 49900,
    payable_paise: 49937,
    status: 'pending',
    created_at: now,
    expires_at: later(now, payableTime),
    pay_token: newPayToken(merchantId),
    account_id: accountId,
    success_url: 'https://shop.example/done',
    failure_url: 'https://shop.example/sorry',
    webhook_url: 'https://shop.example/hook',
  });
  insert('connections', {
    merchant_id,
    code_hash: randomBytes(32),
    code_challenge: 'x'.repeat(43),
    expires_at: now,
    shop_name: `Connected ${suffix}`,
    return_url: 'https://shop.example/back',
    webhook_url: 'https://shop.example/hook',
    account_id: accountId,
    user_id: users.owner.userId,
    agreed_at: now,
  });
  for (const [table, row] of Object.entries(boughtPlan({ merchantId, orderId, suffix, now })))
    insert(table, row);
  insert('amounts', { merchant_id, payable_paise: 49937, held_until: now, order_id: orderId });
  insert('collections', { merchant_id, month: '2026-11-01', collected_paise: 49937 });
  insert('order_archives', {
    merchant_id,
    month: '2026-05-01',
    part: 1,
    orders: 1,
    csv_gzip: Buffer.from('H4sIAAAAAAAAAwMAAAAAAAAAAAA=', 'base64'),
    created_at: now,
  });
  insert('order_purposes', { merchant_id, order_id: orderId, purpose: `Lunch ${suffix}`, created_at: now });
  // Its order has left the history.
  const returned = `ML-${randomDigits(10)}`;
  insert('refunds', {
    merchant_id,
    order_id: returned,
    refund_id: `rf_${suffix}`,
    account_id: accountId,
    amount_paise: 100,
    done_by: users.owner.email,
    done_at: now,
  });
  const paymentLinkId = `lnk_${suffix}`;
  insert('payment_links', {
    merchant_id,
    link_id: paymentLinkId,
    token: newPayToken(merchantId),
    title: `Thali ${suffix}`,
    amount_paise: 12000,
    made_by: suffix,
    created_at: now,
  });
  insert('business_notes', { merchant_id, written_at: now, author: suffix, note: `Note ${suffix}` });
  insert('page_reports', { merchant_id, order_id: orderId, reported_at: now, note: `Bad ${suffix}` });
  insert('shop_logos', { merchant_id, name: `${suffix}.png`, bytes: Buffer.from(suffix) });
  insert('unconfirmable', { merchant_id, since: now });
  insert('alerts', {
    merchant_id,
    alert_id: alertId,
    raw_bytes: 10,
    arrived_at: now,
    found_in: 'INBOX',
    verdict: 'no_order',
    amount_paise: 49900,
    alert_time: now,
    bank: 'hdfc',
    account_digits: '4321',
    signature_id: `sig ${suffix}`,
  });
  insert('handled_credits', {
    merchant_id,
    alert_id: alertId,
    state: 'open',
    order_id: orderId,
    done_by: users.owner.email,
    done_at: now,
  });
  insert('claimed_references', { merchant_id, order_id: orderId, bank_reference: suffix, claimed_at: now });
  insert('raw_mails', { merchant_id, alert_id: alertId, arrived_at: now, raw: Buffer.from('raw') });
  insert('counted_signatures', {
    signature_id: `sig ${suffix}`,
    merchant_id,
    alert_id: alertId,
    counted_at: now,
  });
  insert('counted_references', { merchant_id, bank_reference: suffix, alert_id: alertId, counted_at: now });
  insert('events', {
    merchant_id,
    event_id: eventId,
    type: 'webhook.test',
    webhook_url: 'https://shop.example/hook',
    created_at: now,
  });
  insert('event_bodies', { merchant_id, event_id: eventId, body: '{}', created_at: now });
  insert('given_up_events', { merchant_id, event_id: eventId, created_at: now });
  insert('delivery_log', {
    merchant_id,
    delivery_id: 1,
    event_id: eventId,
    attempt: 1,
    state: 'failed',
    due_at: now,
    started_at: now,
    asked_by: 'schedule',
  });
  const other = { merchant_id, event_id: `evt_other${suffix}`, destination: 'shop.example' };
  insert('delivery_queue', { ...other, attempt: 1, step: 0, due_at: later(now, 1000 * 86_400_000) });
  insert('deliveries_in_hand', {
    ...other,
    delivery_id: 1,
    started_at: now,
    leased_until: later(now, 1000 * 86_400_000),
  });
  insert('failing_destinations', {
    merchant_id,
    destination: 'shop.example',
    failing_since: now,
    failures: 1,
    last_failure: because('answered', { status: 500 }),
  });
  insert('mailboxes', {
    merchant_id,
    provider: 'other',
    address: `${suffix}@mail.example`,
    username: suffix,
    host: 'imap.mail.example',
    port: 993,
    credential: 'sealed',
    revision: 1,
    connected_at: now,
  });
  insert('mailbox_leases', { merchant_id });
  insert('mailbox_states', { merchant_id });
  const place = { merchant_id, folder: 'INBOX', uidvalidity: 1 };
  insert('mailbox_positions', { ...place, next_uid: 2, scan_from: now });
  insert('found_mails', { ...place, uid: 1, found_at: now });
  insert('extra_alert_addresses', { merchant_id, address: `alerts-${suffix}@mail.example`, added_at: now });
  insert('notices', {
    merchant_id,
    kind: 'mailbox_seeing',
    facts: { address: `${suffix}@mail.example` },
    dedupe_key: suffix,
    created_at: now,
  });
  const person = { merchant_id, user_id: users.owner.userId };
  const credentialId = `cred_${suffix}`;
  insert('passkeys', {
    ...person,
    credential_id: credentialId,
    name: 'Phone',
    public_key: Buffer.of(1),
    counter: 0,
    created_at: now,
  });
  const deviceId = `dev_${suffix}`;
  insert('push_devices', {
    ...person,
    device_id: deviceId,
    session_id: '',
    endpoint: `https://push.example/${suffix}`,
    p256dh: suffix,
    auth: suffix,
    agent: '',
    created_at: now,
  });
  insert('pushes', {
    merchant_id,
    device_id: deviceId,
    created_at: now,
    next_try_at: later(now, 1000 * 86_400_000),
    useful_until: later(now, 1000 * 86_400_000),
  });
  // Only release 0.2.0 writes these two. A row that it left must not break a removal or a move.
  const chatId = `chat_${suffix}`;
  const said = { place: `chat.${suffix}.example`, sealed: 'x', topics: ['money'], language: 'en' };
  insert('chats', { merchant_id, chat_id: chatId, ...said, created_at: now, next_try_at: later(now, 1e12) });
  insert('chat_messages', { merchant_id, chat_id: chatId, useful_until: later(now, 1e12) });
  insert('notice_choices', { ...person, topic: 'money', by_mail: true, by_push: true });
  insert('daily_summaries', { ...person, hour: 21, even_empty: false, next_at: later(now, 1e11) });
  insert('recovery_codes', { ...person, code_hash: randomBytes(32) });
  insert('passkey_challenges', {
    ...person,
    challenge: suffix,
    purpose: 'confirm',
    expires_at: later(now, 1000),
  });
  insert('mails', {
    merchant_id,
    recipient: 'a@b.example',
    subject: 'Hello',
    created_at: now,
    useful_until: now,
  });
  const sessionId = `ses_${suffix}`;
  const seen = { created_at: now, last_seen_at: now, confirmed_at: now };
  insert('sessions', {
    ...person,
    ...seen,
    session_id: sessionId,
    token_hash: randomBytes(32),
    stage: 'full',
    address: '',
    agent: '',
  });
  // One statement for all: a walk over every route makes hundreds of businesses.
  await sql.unsafe(`with ${inserts.map((text, at) => `row_${at} as (${text})`).join(', ')} select 1`, values);
  const [notice] = await sql`select notice_id from notices where merchant_id = ${merchantId}`;
  await world.sql.begin(tx =>
    makeLink(tx, world, {
      merchant_id,
      purpose: 'join',
      email: `guest-${suffix}@shop.example`,
      role: 'support',
      made_by: '',
    }),
  );
  const [link] = await sql`select link_id from account_links where merchant_id = ${merchantId}`;
  const by = { merchantId, at: now, actor: users.owner.email };
  await sql.begin(tx => record(tx, { ...by, action: 'order.give_back', subject: returned }));
  await sql.begin(tx =>
    record(tx, { merchantId, at: now, actor: suffix, action: 'sign_in', subject: suffix }),
  );
  return {
    merchantId,
    name,
    users,
    examples: {
      orderid: orderId,
      alertid: alertId,
      eventid: eventId,
      keyid: keyId,
      accountid: accountId,
      credentialid: credentialId,
      deviceid: deviceId,
      sessionid: sessionId,
      linkid: link!['link_id'],
      paymentlinkid: paymentLinkId,
      userid: users.support.userId,
      noticeid: String(notice!['notice_id']),
      month: '2026-05',
      address: `alerts-${suffix}@mail.example`,
      merchantid: String(merchantId),
      businessid: String(merchantId),
      provider: 'gmail',
      bank: 'hdfc',
      plan: 'standard',
      entryid: '1',
      lineid: '1',
      token: 'x'.repeat(52),
    },
  };
}
