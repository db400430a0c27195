import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { openForwarding } from '../../src/alerts/forwarding/open-forwarding.ts';
import { type MailServers, startMailServers } from '../../src/alerts/forwarding/start-mail-servers.ts';
import { startProbing } from '../../src/alerts/forwarding/start-probing.ts';
import { startReceiving } from '../../src/alerts/mailboxes/start-receiving.ts';
import { testBank } from './alert-banks.ts';
import { bankZone, linesWith, signedAlert } from './genuine-alert.ts';
import { googleKey, type MailProvider, startMailProvider } from './mail-provider.ts';
import { openMailWorld } from './test-mailbox.ts';
import { addTestMerchant, type TestMerchant, type TestWorld } from './test-world.ts';

export const ourSender = 'pay@milaan.example';

export type ForwardingStage = {
  world: TestWorld;
  provider: MailProvider;
  mailServers: MailServers;
  port: number;
  stop(): Promise<void>;
};

/** The role `receive` on a real port, the owners' mail provider, a bank that signs, and nobody who judges unless asked. */
export async function openForwardingStage(
  env: Record<string, string> = {},
  { judging = false, patience }: { judging?: boolean; patience?: { idle: number; session: number } } = {},
): Promise<ForwardingStage> {
  const provider = await startMailProvider();
  const world = await openMailWorld({ SMTP_URL: provider.url, MAIL_FROM: `Milaan <${ourSender}>`, ...env });
  const records = { ...bankZone(), ...googleKey() };
  for (const [name, record] of Object.entries(records)) world.dns.texts.set(name, [record]);
  world.banks = openBankBook(() => [testBank()]);
  const judges = judging ? startReceiving(world) : null;
  const mailServers = await startMailServers(world, {
    workerSlots: judges?.workerSlots ?? null,
    ...(patience && { patience }),
  });
  const probing = startProbing(world);
  const stage: ForwardingStage = {
    world,
    provider,
    mailServers,
    port: mailServers.smtpPort ?? 0,
    async stop() {
      await stage.mailServers.stop();
      await probing.stop();
      await judges?.stop();
      await Promise.all([world.stop(), provider.stop()]);
    },
  };
  return stage;
}

export type ForwardingShop = TestMerchant & { forwardTo: string };

/** A business at the test bank with a forwarding address and nothing else. */
export async function addForwardingShop(world: TestWorld): Promise<ForwardingShop> {
  const merchant = await addTestMerchant(world, { account: { bank: 'test' } });
  const opening = {
    merchantId: merchant.merchantId,
    mailDomain: world.config.mailDomain!,
    now: world.clock.now(),
  };
  const forwardTo = await world.sql.begin(tx => openForwarding(tx, opening));
  return { ...merchant, forwardTo: forwardTo! };
}

let references = 700_000_000_000;

/** The test bank's signed mail about a credit, addressed to `to`. */
export function creditTo(
  to: string,
  { amount = '500.37', reference = String(++references), account = 'XX4321' } = {},
): Buffer {
  const at = new Date();
  return signedAlert(
    linesWith({ To: to, Date: at.toUTCString(), 'Message-ID': `<${reference}@test.bank.in>` }),
    `Dear Customer, Rs.${amount} is credited to your account ${account} by ravi@okbank. UPI reference ${reference}. Thank you.\r\n`,
    { tags: [`t=${Math.floor(at.getTime() / 1000)}`] },
  );
}

export async function alertsOf(
  world: TestWorld,
  merchantId: number,
): Promise<{ verdict: string; found_in: string }[]> {
  return await world.sql<{ verdict: string; found_in: string }[]>`
    select verdict, found_in from alerts where merchant_id = ${merchantId} order by arrived_at, alert_id`;
}
