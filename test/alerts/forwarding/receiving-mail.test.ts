import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  closeForwarding,
  openForwarding,
  replaceForwarding,
} from '../../../src/alerts/forwarding/open-forwarding.ts';
import { openLine as open } from '../../support/bare-line.ts';
import { addTestUser } from '../../support/dashboard-site.ts';
import {
  addForwardingShop,
  alertsOf,
  creditTo,
  openForwardingStage,
} from '../../support/forwarding-stage.ts';
import { handMail, sentOn } from '../../support/mail-provider.ts';
import { readRaw } from '../../support/read-raw.ts';
import { use } from '../../support/use.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('mail that is handed over to us', () => {
  const stage = use(openForwardingStage);

  const counted = async (name: string) => await stage.world.metrics.registry.getSingleMetricAsString(name);

  test('a delivered mail is stored once for its business before it is accepted, however often it comes', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const raw = creditTo('meera@gmail.example');
    assert.deepEqual((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
    assert.deepEqual(await alertsOf(stage.world, merchantId), [
      { verdict: 'unjudged', found_in: 'forwarding' },
    ]);
    assert.equal((await handMail(stage.port, { to: forwardTo.toUpperCase(), raw })).code, 250);
    assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
    assert.match(await counted('milaan_receive_mails_total'), /outcome="alert"\} 2/);
  });

  test('every byte of a delivered mail is kept, also dots at the start of lines', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const raw = Buffer.from(
      'From: alerts@test.bank.in\r\nSubject: dots\r\n\r\n.one\r\n..two\r\n.\r\n...\r\nend\r\n',
    );
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
    const [row] = await stage.world.sql<{ alert_id: string }[]>`
      select alert_id from alerts where merchant_id = ${merchantId}`;
    assert.deepEqual(await readRaw(stage.world.sql, merchantId, row!.alert_id), raw);
  });

  test('mail to an unknown recipient is refused at RCPT and relayed nowhere', async () => {
    const { forwardTo } = await addForwardingShop(stage.world);
    const [, domain] = forwardTo.split('@');
    const nobody = [
      `alerts-${'0'.repeat(32)}@${domain}`,
      `postmaster@elsewhere.example`,
      'victim@elsewhere.example',
      `alerts-${'0'.repeat(32)}@elsewhere.example`,
      forwardTo.replace('@', '%elsewhere.example@'),
      `${forwardTo.slice(0, -3)}`,
    ];
    for (const to of nobody)
      assert.equal((await handMail(stage.port, { to, raw: creditTo(to) })).code, 550, to);
    assert.equal(stage.provider.received.length, 0);
  });

  test('mail to the postmaster is accepted, and shown only to the operators', async () => {
    const { world } = stage;
    const { email } = await addTestUser(world, 0, 'operator');
    const [, domain] = (await addForwardingShop(world)).forwardTo.split('@');
    const raw = Buffer.from('From: a@b.example\r\nSubject: your server\r\n\r\nIt misbehaves.\r\n');
    const line = await open(stage.port);
    for (const to of [`POSTMASTER@${domain}`, 'postmaster'])
      assert.equal((await handMail(stage.port, { to, raw })).code, 250, to);
    await line.say('QUIT');
    const mails = await world.sql`select recipient from mails where recipient = ${email}`;
    assert.equal(mails.length, world.config.smtpUrl === null ? 0 : 2);
    for (let n = 0; n < 30; n++) await handMail(stage.port, { to: `postmaster@${domain}`, raw });
    const [row] = await world.sql`select count(*) as count from mails where recipient = ${email}`;
    assert.ok(row!['count'] <= 20, 'whoever writes more is taken, and passed over');
    assert.equal((await world.sql`select from alerts where found_in = 'postmaster'`).length, 0);
  });

  test('a client that tries many addresses is disconnected', async () => {
    const line = await open(stage.port);
    await line.say('EHLO guess.example');
    await line.say('MAIL FROM:<a@guess.example>');
    const guess = (digit: string) =>
      line.say(`RCPT TO:<alerts-${digit.repeat(32)}@${stage.world.config.mailDomain}>`);
    assert.match(await guess('1'), /^550/);
    assert.match(await guess('2'), /^550/);
    assert.match(await guess('3'), /^421/);
    await line.ended;
  });

  test('a client that sends many commands and no mail is disconnected', async () => {
    const line = await open(stage.port);
    await line.say('EHLO chatter.example');
    line.socket.write('NOOP\r\n'.repeat(5_000));
    await line.ended;
  });

  test('a mail is refused by its announced size, and by its true one', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const line = await open(stage.port);
    assert.match(await line.say('EHLO big.example'), /250-?.?SIZE 1048576/);
    assert.match(await line.say('MAIL FROM:<a@big.example> SIZE=1048577'), /^552/);
    assert.match(await line.say('MAIL FROM:<a@big.example> SIZE=1000'), /^250/);
    line.socket.destroy();
    const raw = Buffer.from(
      `From: alerts@test.bank.in\r\nSubject: big\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(1100)}`,
    );
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 552);
    assert.deepEqual(await alertsOf(stage.world, merchantId), []);
  });

  test('a mail that is not from a bank is accepted, and nothing of it is stored', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const raw = Buffer.from('From: friend@home.example\r\nSubject: private\r\n\r\nhello\r\n');
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
    assert.deepEqual(await alertsOf(stage.world, merchantId), []);
    const [found] = await stage.world.sql`select from forward_requests where merchant_id = ${merchantId}`;
    assert.equal(found, undefined);
  });

  test('a mail to two businesses is stored for both', async () => {
    const [one, two] = [await addForwardingShop(stage.world), await addForwardingShop(stage.world)];
    const raw = creditTo('x@y.example');
    assert.equal((await handMail(stage.port, { to: [one.forwardTo, two.forwardTo], raw })).code, 250);
    for (const { merchantId } of [one, two])
      assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
  });

  test('a replaced address still accepts mail while it has open orders; without any it ends at once', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const { sql, clock, config } = stage.world;
    const opening = { merchantId, mailDomain: config.mailDomain!, now: clock.now() };
    const next = await sql.begin(tx => replaceForwarding(tx, opening));
    assert.ok(next && next !== forwardTo);
    assert.equal((await handMail(stage.port, { to: forwardTo, raw: creditTo('a@b.example') })).code, 550);
    assert.equal((await handMail(stage.port, { to: next, raw: creditTo('a@b.example') })).code, 250);
    assert.equal(await sql.begin(tx => openForwarding(tx, opening)), next);
    assert.equal(await sql.begin(tx => closeForwarding(tx, merchantId, clock.now())), next);
    assert.equal((await handMail(stage.port, { to: next, raw: creditTo('a@b.example') })).code, 550);
  });

  test('pipelined commands are handled like single ones', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const line = await open(stage.port);
    await line.say('EHLO fast.example');
    const raw = creditTo('a@b.example').toString('latin1');
    line.socket.write(
      `MAIL FROM:<>\r\nRCPT TO:<${forwardTo}>\r\nDATA\r\n${raw}\r\n.\r\nMAIL FROM:<b@fast.example>\r\nRCPT TO:<${forwardTo}>\r\nDATA\r\n${sentOn(Buffer.from(raw, 'latin1'), { from: 'a@b.example', to: forwardTo }).toString('latin1')}\r\n.\r\nQUIT\r\n`,
      'latin1',
    );
    await line.ended;
    assert.equal((await alertsOf(stage.world, merchantId)).length, 2);
  });

  test('an incomplete mail is not stored, and garbage ends its connection', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const line = await open(stage.port);
    await line.say('EHLO half.example');
    await line.say('MAIL FROM:<a@half.example>');
    await line.say(`RCPT TO:<${forwardTo}>`);
    await line.say('DATA');
    line.socket.write(creditTo('a@b.example'));
    line.socket.end('\r\n');
    await line.ended;
    const garbage = await open(stage.port);
    garbage.socket.write(Buffer.alloc(64 * 1024, 0xff));
    await garbage.ended;
    const http = await open(stage.port);
    http.socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n');
    await http.ended;
    assert.equal((await handMail(stage.port, { to: forwardTo, raw: creditTo('a@b.example') })).code, 250);
    await waitFor('all connections to be counted out', async () =>
      (await counted('milaan_receive_connections')).includes('milaan_receive_connections 0'),
    );
    assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
  });

  test('a mail gets no 250 while it cannot be stored, so its sender sends it again', async () => {
    const { merchantId, forwardTo } = await addForwardingShop(stage.world);
    const raw = creditTo('a@b.example');
    await stage.world.sql`alter table alerts rename to alerts_away`;
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 451);
    await stage.world.sql`alter table alerts_away rename to alerts`;
    await stage.world.sql`alter table forward_addresses rename to forward_away`;
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 451);
    await stage.world.sql`alter table forward_away rename to forward_addresses`;
    assert.equal((await handMail(stage.port, { to: forwardTo, raw })).code, 250);
    assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
  });

  test('the mail server offers no sign-in, no list of addresses and no command that it does not need', async () => {
    const line = await open(stage.port);
    const hello = await line.say('EHLO curious.example');
    assert.doesNotMatch(hello, /AUTH|STARTTLS|VRFY/);
    for (const command of ['AUTH PLAIN AAAA', 'VRFY alerts', 'EXPN all', 'WIZ', 'KILL', 'TURN'])
      assert.match(await line.say(command), /^5\d\d/, command);
    line.socket.destroy();
  });
});
