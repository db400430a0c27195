import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { startMailServers } from '../../../src/alerts/forwarding/start-mail-servers.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { openLog } from '../../../src/base/log.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import { testBank } from '../../support/alert-banks.ts';

/** A `receive` process of its own. It stops for ever when it reaches `stopAt` and reports this; the parent then kills it. */
export type ChildOrders = { databaseUrl: string; secretKey: string; stopAt: string | null };

const orders = JSON.parse(process.argv[2]!) as ChildOrders;
const read = readConfig(['receive'], { LOG_LEVEL: 'silent', RATE_LIMITS: 'off' });
if ('problems' in read) throw new Error(read.problems.join());

const mailServers = await startMailServers(
  {
    config: read.config,
    baseUrl: 'https://pay.example.in',
    sql: connect(orders.databaseUrl, { most: 8 }),
    clock: systemClock,
    dns: { lookupAddresses: async () => [], lookupText: async () => [] },
    log: openLog('silent'),
    metrics: openMetrics(),
    secrets: secretBox([Buffer.from(orders.secretKey, 'base64')]),
    banks: openBankBook(() => [testBank()]),
  },
  {
    step: async name => {
      if (name !== orders.stopAt) return;
      process.stdout.write('standing still\n');
      await new Promise(() => {});
    },
  },
);
process.stdout.write(`port ${mailServers.smtpPort}\n`);
process.on('SIGTERM', () => void mailServers.stop().then(() => process.exit()));
