import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { newSecretKey } from '../../../src/base/secrets.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { doubtedShop, lostPayment, newKey } from '../../support/doubted-shop.ts';
import { runMilaan } from '../../support/run-milaan.ts';

const shop = doubtedShop();

test('judge-again prints each changed verdict, or that nothing was found', async () => {
  const { world } = shop.api;
  world.clock.set(new Date());
  const { order, alertId } = await lostPayment(shop);
  const dns = await startDnsServer(({ name, type }) =>
    name === 's1._domainkey.test.bank.in' && type === 'TXT'
      ? [{ name, type, ttl: 60, data: newKey.record.match(/.{1,255}/g)! }]
      : 'nxdomain',
  );
  const env = {
    PUBLIC_URL: 'https://pay.example.in',
    DATABASE_URL: world.databaseUrl,
    SECRET_KEY: newSecretKey(),
    DNS_SERVERS: dns.address,
    BANKS_FILE: join(import.meta.dirname, '../../support/test-bank.json'),
  };
  const milaan = async (...args: string[]) => {
    const { out, err } = await runMilaan(env, 'judge-again', ...args);
    // The first line of what it complains says which installation it is.
    return out + err.replace(/^live, .*\n/, '');
  };
  const nothing = 'no stored mail fits that can be judged again; nothing was done\n';
  try {
    assert.match(await milaan(), /needs --business, --bank, --day or --alert/);
    assert.match(await milaan('--day', '2026-02-30'), /--day must be a day/);
    assert.match(await milaan('--bank', 'nobody'), /there is no bank "nobody"/);
    assert.equal(await milaan('--alert', 'al_none'), nothing);
    assert.equal(await milaan('--alert', alertId), 'forged → paid  1\n');
    assert.equal(await shop.statusOf(order.order_id), 'paid');
    assert.equal(await milaan('--alert', alertId), nothing);
  } finally {
    await dns.stop();
  }
});
