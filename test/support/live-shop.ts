import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { connectMailbox } from '../../src/alerts/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/alerts/mailboxes/open-connection.ts';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/base/database/connect.ts';
import { openLog } from '../../src/base/log.ts';
import { openMetrics } from '../../src/base/metrics.ts';
import { paiseFromRupees, rupeesText } from '../../src/base/money.ts';
import { openDns } from '../../src/base/network/dns.ts';
import { secretBox } from '../../src/base/secrets.ts';
import type { World } from '../../src/base/world.ts';
import { confirmUpiAccount, selectUnconfirmed } from '../../src/business/merchants/unconfirmed-accounts.ts';
import { sayReason } from '../../src/texts/say.ts';
import { orderBody } from './api.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { type Dovecot, startDovecot } from './dovecot.ts';
import { liveConfig } from './live-config.ts';
import { mailKey, signMail } from './signed-mail.ts';
import { addTestMerchant, type TestMerchant } from './test-world.ts';
import { type Answering, type Receiver, startReceiver } from './webhook-receiver.ts';

/**
 * The world around a live installation: the bank that signs its mails and publishes its key in DNS, the mailbox they
 * arrive in, and the shop that creates orders and receives webhooks.
 */
export type LiveShop = {
  /** The operator's settings, in addition to the database and the key. */
  env: Record<string, string>;
  dovecot: Dovecot;
  dns: DnsServer;
  receiver: Receiver;
  /** The bank writes to the mailbox, or to a further business's, that this much arrived. */
  bankWrites(rupees: number, address?: string): Promise<void>;
  /** How many mails it has written. */
  mails(): number;
  stop(): Promise<void>;
};

const shopAddress = 'meera@chaipoint.example';
/** The account that the bank's mails speak of. */
const shopAccount = '4321';
const mailPassword = 'open sesame';

/** `seenAt`: where the program meets all of it, if it is not on this machine's loopback; `relay` must bring it there. */
export async function openLiveShop(answering?: Answering, seenAt = '127.0.0.1'): Promise<LiveShop> {
  const folder = mkdtempSync(join(tmpdir(), 'milaan-live-shop-'));
  const dovecot = await startDovecot();
  const key = mailKey(2048, 'hdfc');
  const dns = await startDnsServer(({ name, type }) => {
    if (name === dovecot.host) return type === 'A' ? [{ name, type, ttl: 60, data: seenAt }] : [];
    if (name !== 'alerts._domainkey.hdfcbank.net') return 'nxdomain';
    return type === 'TXT' ? [{ name, type, ttl: 60, data: key.record.match(/.{1,255}/g)! }] : [];
  });
  const receiver = await startReceiver(answering);
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, dovecot.ca);
  let mails = 0;
  return {
    env: {
      WEBHOOK_ALLOW: seenAt,
      DNS_SERVERS: dns.address.replace('127.0.0.1', seenAt),
      IMAP_CA_FILE: caFile,
      HOST: '127.0.0.1',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
    dovecot,
    dns,
    receiver,
    async bankWrites(rupees, address = shopAddress) {
      const reference = String(640_000_000_000 + ++mails);
      const lines = [
        'From: HDFC Bank InstaAlerts <alerts@hdfcbank.net>',
        `To: ${address}`,
        'Subject: View: Account update for your HDFC Bank A/c',
        `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
        'MIME-Version: 1.0',
        'Content-Type: text/html; charset=utf-8',
      ];
      const body =
        `<p>Dear Customer, Rs. ${rupeesText(paiseFromRupees(rupees))} is successfully credited to your account ` +
        `**${shopAccount} by VPA ravi@okaxis RAVI KUMAR on 15-11-26. ` +
        `Your UPI transaction reference number is ${reference}.</p>\r\n`;
      const signed = signMail(lines, body, { domain: 'hdfcbank.net', selector: 'alerts', key });
      await dovecot.deliver(address, signed);
    },
    mails: () => mails,
    async stop() {
      await Promise.all([receiver.stop(), dns.stop(), dovecot.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type LiveOrder = { order_id: string; status: string; payable_amount: number; payment_url: string };

export type Created = { order: LiveOrder; replayed: boolean; refusals: number };

/**
 * A create as a shop sends it: what was not answered, or answered with 503, is sent again under the same id. Every
 * other refusal is a failure.
 */
export async function createPatiently(
  url: string,
  apiKey: string,
  changes: Record<string, unknown>,
): Promise<Created> {
  const body = JSON.stringify(orderBody(changes));
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  for (let refusals = 0; ; refusals++) {
    try {
      const answer = await fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body });
      const said = (await answer.json()) as LiveOrder;
      if (answer.status === 201 || answer.status === 200)
        return { order: said, replayed: answer.status === 200, refusals };
      if (answer.status !== 503) throw new Error(`create answered ${answer.status}: ${JSON.stringify(said)}`);
    } catch (error) {
      // fetch says TypeError for a connection that failed.
      if (!(error instanceof TypeError)) throw error;
    }
    await sleep(50);
  }
}

/** A business of the installation, a new one or one that is there, with its mailbox on this shop's mail server, as the dashboard would set it up. */
export async function connectShop(
  shop: LiveShop,
  databaseUrl: string,
  secretKey: string,
  existing?: TestMerchant,
  address = shopAddress,
): Promise<TestMerchant> {
  const sql = connect(databaseUrl, { most: 2 });
  const world: World = {
    config: liveConfig({ WEBHOOK_ALLOW: shop.env['WEBHOOK_ALLOW'] ?? '', LOG_LEVEL: 'silent' }),
    baseUrl: 'https://pay.example.in',
    sql,
    clock: systemClock,
    dns: openDns([shop.dns.address]),
    log: openLog('silent'),
    metrics: openMetrics(),
    secrets: secretBox([Buffer.from(secretKey, 'base64')]),
    banks: openBankBook(() => []),
  };
  try {
    const merchant = existing ?? (await addTestMerchant(world, { account: { accountDigits: shopAccount } }));
    // The owner confirms on the dashboard what the operator added by command.
    for (const { account_id } of await selectUnconfirmed(sql, merchant.merchantId))
      await sql.begin(tx => confirmUpiAccount(tx, world, merchant.merchantId, account_id));
    await shop.dovecot.setPassword(address, mailPassword);
    const settings = {
      provider: 'other' as const,
      address,
      host: shop.dovecot.host,
      port: shop.dovecot.port,
      credential: { kind: 'password' as const, password: mailPassword },
    };
    const roots = trustedRoots(shop.dovecot.ca);
    const connected = await connectMailbox(world, merchant.merchantId, settings, { roots });
    if (!connected.ok) throw new Error(sayReason('en', connected.reason));
    return merchant;
  } finally {
    await sql.end();
  }
}
