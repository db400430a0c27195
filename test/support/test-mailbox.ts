import { connectMailbox } from '../../src/alerts/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/alerts/mailboxes/open-connection.ts';
import type { Pace } from '../../src/alerts/mailboxes/pace.ts';
import { startWatching, type WatchOptions } from '../../src/alerts/mailboxes/start-receiving.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sayReason } from '../../src/texts/say.ts';
import type { Dovecot } from './dovecot.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from './test-world.ts';

export const bankSender = 'alerts@bank.example';
export const password = 'open sesame';

/** A pace at which a test need not wait; the proportions are the usual ones. */
export const quickPace: Partial<Pace> = {
  poll: 400,
  command: 1500,
  slowCommand: 3000,
  breath: 10,
  connect: 3000,
  backOffLeast: 20,
  backOffMost: 200,
  goodAfter: 1000,
  firstLogins: 50,
  refusedLogin: 500,
  busyLeast: 20,
  busyMost: 200,
  lease: 1000,
  share: 200,
};

let mails = 0;

/** A mail that a bank could have sent; unsigned, because who judges is not the watcher's business. */
export function plainMail({
  from = bankSender,
  subject = 'Credit',
  to = 'shop@test.example',
  body = '',
} = {}): string {
  mails++;
  return [
    `From: Bank <${from}>`,
    `To: ${to}`,
    `Subject: ${subject} ${mails}`,
    `Message-ID: <${mails}.${process.pid}@bank.example>`,
    '',
    body || `mail ${mails}`,
    '',
  ].join('\r\n');
}

/** A mail server has the wall clock, so a test with one runs on it too. */
export async function openMailWorld(env: Record<string, string> = {}): Promise<TestWorld> {
  const world = await openTestWorld(env);
  Object.assign(world.clock, systemClock);
  return world;
}

export type TestMailbox = { merchantId: number; user: string };

/** A business whose mailbox is on this Dovecot (or behind `port`), tried and stored as the dashboard would do it. */
export async function connectTestMailbox(
  world: TestWorld,
  dovecot: Dovecot,
  { user = 'shop@test.example', port = dovecot.port }: { user?: string; port?: number } = {},
): Promise<TestMailbox> {
  world.dns.addresses.set(dovecot.host, ['127.0.0.1']);
  const { merchantId } = await addTestMerchant(world);
  await dovecot.setPassword(user, password);
  const connected = await connectMailbox(
    world,
    merchantId,
    {
      provider: 'other',
      address: user,
      host: dovecot.host,
      port,
      credential: { kind: 'password', password },
    },
    { roots: trustedRoots(dovecot.ca) },
  );
  if (!connected.ok) throw new Error(sayReason('en', connected.reason));
  return { merchantId, user };
}

export function watch(
  world: TestWorld,
  dovecot: Dovecot,
  options: Partial<WatchOptions> = {},
): { stop(): Promise<void> } {
  return startWatching(world, {
    isBankSender: address => address === bankSender,
    ca: dovecot.ca,
    ...options,
    pace: { ...quickPace, ...options.pace },
  });
}

export async function storedMails(world: TestWorld, merchantId: number): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*) as count from alerts where merchant_id = ${merchantId}`;
  return row!.count;
}

export async function foundIn(world: TestWorld, merchantId: number): Promise<string[]> {
  const rows = await world.sql<{ found_in: string }[]>`
    select found_in from alerts where merchant_id = ${merchantId} order by found_in`;
  return rows.map(row => row.found_in.split('/')[0]!);
}
