import { startWatching } from '../../../src/alerts/mailboxes/start-receiving.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { openLog } from '../../../src/base/log.ts';
import { openMetrics } from '../../../src/base/metrics.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import { bankSender, quickPace } from '../../support/test-mailbox.ts';

/**
 * A `mail` process of its own, for drills that kill it. It stops for ever the `nth` time it reaches a step, and
 * reports this; the parent then sends SIGKILL.
 */
export type ChildOrders = {
  databaseUrl: string;
  secretKey: string;
  host: string;
  ca: string;
  stopAt: string | null;
  nth: number;
};

const orders = JSON.parse(process.argv[2]!) as ChildOrders;
const read = readConfig([], { LOG_LEVEL: 'silent' });
if ('problems' in read) throw new Error(read.problems.join());
let reached = 0;

startWatching(
  {
    sql: connect(orders.databaseUrl, { most: 4 }),
    clock: systemClock,
    config: read.config,
    log: openLog('silent'),
    metrics: openMetrics(),
    secrets: secretBox([Buffer.from(orders.secretKey, 'base64')]),
    dns: {
      lookupAddresses: async () => ['127.0.0.1'],
      lookupText: async () => [],
    },
  },
  {
    isBankSender: address => address === bankSender,
    ca: orders.ca,
    pace: quickPace,
    step: async name => {
      if (name !== orders.stopAt || ++reached < orders.nth) return;
      process.stdout.write('standing still\n');
      await new Promise(() => {});
    },
  },
);
process.stdout.write('watching\n');
