import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTransport } from 'nodemailer';
import {
  mailNetworkOf,
  mailsOfRecipient,
  mostOfAddress,
  mostOfNetwork,
  openHands,
  openTraffic,
  readMail,
} from '../../../src/alerts/forwarding/traffic.ts';
import { freePort } from '../../../src/base/free-port.ts';
import { openLine } from '../../support/bare-line.ts';
import {
  addForwardingShop,
  alertsOf,
  creditTo,
  openForwardingStage,
} from '../../support/forwarding-stage.ts';
import { handMail } from '../../support/mail-provider.ts';
import { makeCertificates } from '../../support/test-certificates.ts';
import { waitFor } from '../../support/wait-for.ts';

const folder = mkdtempSync(join(tmpdir(), 'milaan-receive-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('connections are limited per address and per network, and a closed one frees its place', () => {
  const traffic = openTraffic({ rates: true });
  const enter = (id: string, address: string) => traffic.enter(id, address);
  for (let one = 0; one < mostOfAddress; one++) assert.ok(enter(`a${one}`, '192.0.2.1'));
  assert.ok(!enter('a', '192.0.2.1'));
  for (let one = mostOfAddress; one < mostOfNetwork; one++) assert.ok(enter(`b${one}`, '192.0.2.2'));
  assert.ok(!enter('c', '192.0.2.3'));
  assert.ok(enter('d', '192.0.3.1'));
  traffic.leave('a0');
  assert.ok(enter('e', '192.0.2.3'));
  assert.equal(traffic.connections(), mostOfNetwork + 1);
});

test('a flood to one shop waits, and other shops’ mail is delivered', () => {
  const traffic = openTraffic({ rates: true });
  for (let mail = 0; mail < mailsOfRecipient; mail++)
    assert.ok(traffic.mayMail(`192.0.${mail % 200}.1`, ['flooded']));
  assert.ok(!traffic.mayMail('198.51.100.1', ['flooded']));
  assert.ok(traffic.mayMail('198.51.100.1', ['other']));
  assert.ok(traffic.mayMail(null, ['other']));
});

test('a network is a /24, or a /48 of IPv6, in every notation', () => {
  assert.equal(mailNetworkOf('192.0.2.7'), mailNetworkOf('::ffff:192.0.2.99'));
  assert.equal(mailNetworkOf('2001:db8:1:2::5'), mailNetworkOf('2001:db8:1:ffff::1'));
  assert.notEqual(mailNetworkOf('2001:db8:1::1'), mailNetworkOf('2001:db8:2::1'));
});

test('one business cannot use all of the workers that all businesses share', async () => {
  const hands = openHands(64 * 1024 * 1024);
  const mail = () =>
    (async function* () {
      for (let part = 0; part < 15; part++) yield Buffer.alloc(64 * 1024);
    })() as never;
  const held = [];
  for (let one = 0; one < 100; one++) held.push(await readMail(mail(), hands, true, 'greedy'));
  assert.ok(held.includes('busy'));
  const other = await readMail(mail(), hands, true, 'other');
  assert.ok(typeof other === 'object');
  for (const one of held) if (typeof one === 'object') one.release();
  assert.ok(typeof (await readMail(mail(), hands, true, 'greedy')) === 'object');
});

test('all connections share a limit of bytes: a mail beyond it gets a temporary refusal until others finish', async () => {
  const hands = openHands(1000);
  const stream = (size: number) =>
    (async function* () {
      for (let at = 0; at < size; at += 100) yield Buffer.alloc(100);
    })() as never;
  const first = await readMail(stream(800), hands, true, 'shop');
  assert.ok(typeof first === 'object');
  assert.equal(await readMail(stream(300), hands, true, 'shop'), 'busy');
  first.release();
  const second = await readMail(stream(1000), hands, true, 'shop');
  assert.ok(typeof second === 'object' && second.raw.length === 1000);
  second.release();
  assert.equal(await readMail(stream(2 * 1024 * 1024), openHands(), true, 'shop'), 'too_large');
});

test('an address with too many connections is refused, and a slow or endless one ends', async () => {
  const stage = await openForwardingStage({}, { patience: { idle: 2000, session: 4000 } });
  const { merchantId, forwardTo } = await addForwardingShop(stage.world);
  const lines = await Promise.all(Array.from({ length: mostOfAddress }, () => openLine(stage.port)));
  const oneMore = connectSocket(stage.port, '127.0.0.1');
  let heard = '';
  oneMore.on('data', data => {
    heard += data;
  });
  await waitFor('the refusal', () => heard.startsWith('421'));
  oneMore.destroy();
  // Those that say nothing are hung up on.
  await Promise.all(lines.map(line => line.ended));
  // One that drips a byte now and then, in the midst of a mail, ends with its session.
  const slow = await openLine(stage.port);
  await slow.say('EHLO slow.example');
  await slow.say('MAIL FROM:<a@slow.example>');
  await slow.say(`RCPT TO:<${forwardTo}>`);
  await slow.say('DATA');
  const drip = setInterval(() => slow.socket.write('x'), 200);
  await slow.ended;
  clearInterval(drip);
  assert.equal((await handMail(stage.port, { to: forwardTo, raw: creditTo(forwardTo) })).code, 250);
  assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
  await stage.stop();
});

test('STARTTLS uses the operator’s certificate, and a mail inside it is accepted', async () => {
  const { ca, certFile, keyFile } = makeCertificates(folder, ['mx.milaan.example']);
  const stage = await openForwardingStage({ RECEIVE_CERT_FILE: certFile, RECEIVE_KEY_FILE: keyFile });
  const { merchantId, forwardTo } = await addForwardingShop(stage.world);
  const transport = createTransport({
    host: '127.0.0.1',
    port: stage.port,
    requireTLS: true,
    tls: { ca, servername: 'mx.milaan.example' },
  });
  const envelope = { from: 'a@provider.example', to: forwardTo };
  const sent = await transport.sendMail({ envelope, raw: creditTo(forwardTo) });
  transport.close();
  assert.match(sent.response, /^250/);
  assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
  const old = createTransport({
    host: '127.0.0.1',
    port: stage.port,
    requireTLS: true,
    tls: { ca, servername: 'mx.milaan.example', maxVersion: 'TLSv1.1' },
  });
  await assert.rejects(old.sendMail({ envelope, raw: 'x' }));
  old.close();
  await stage.stop();
});

test('LMTP answers for each recipient, on a socket or a port', async () => {
  const path = join(folder, 'lmtp');
  // A process that was killed leaves its socket behind.
  writeFileSync(path, '');
  for (const RECEIVE_LMTP of [path, `127.0.0.1:${await freePort()}`]) {
    const stage = await openForwardingStage({ RECEIVE_PORT: 'off', RECEIVE_LMTP });
    assert.equal(stage.mailServers.smtpPort, null);
    const [one, two] = [await addForwardingShop(stage.world), await addForwardingShop(stage.world)];
    const where = stage.mailServers.lmtp!;
    const socket = connectSocket('path' in where ? { path: where.path } : where);
    let heard = '';
    socket.on('data', data => {
      heard += data;
    });
    const said = async (what: RegExp) => {
      await waitFor(String(what), () => what.test(heard));
      heard = '';
    };
    await said(/^220 .*\r\n$/);
    socket.write('LHLO postfix.example\r\n');
    await said(/^250 /m);
    const raw = creditTo(one.forwardTo).toString('latin1');
    socket.write(
      `MAIL FROM:<>\r\nRCPT TO:<${one.forwardTo}>\r\nRCPT TO:<nobody@here.example>\r\nRCPT TO:<${two.forwardTo}>\r\nDATA\r\n`,
    );
    await said(/^250 .*\r\n250 .*\r\n550 .*\r\n250 .*\r\n354 /);
    socket.write(`${raw}\r\n.\r\n`, 'latin1');
    await said(/^250 .*\r\n250 .*\r\n$/);
    socket.destroy();
    for (const { merchantId } of [one, two])
      assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
    await stage.stop();
  }
});
