import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { openBankBook } from '../../../src/alerts/book/open-bank-book.ts';
import { judgeStoredMails } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../../../src/alerts/judging/open-judging.ts';
import { storeMail } from '../../../src/alerts/judging/store-mail.ts';
import { noon } from '../../support/genuine-alert.ts';
import { mailKey } from '../../support/signed-mail.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from '../../support/test-world.ts';
import { allBanks } from './sample-mails.ts';

/** An installation at the moment of the sample mails, with the banks' keys in DNS and these banks in its book. */
export async function openBench(banks: readonly Bank[]): Promise<TestWorld> {
  const world = await openTestWorld();
  world.clock.set(noon);
  world.banks = openBankBook(() => banks);
  for (const domain of allBanks.flatMap(bank => bank.signingDomains))
    world.dns.texts.set(`s1._domainkey.${domain}`, [mailKey().record]);
  return world;
}

/** A shop at this bank whose mailbox is the one of the sample mails. */
export async function addShop(world: TestWorld, bank: string): Promise<number> {
  const { merchantId } = await addTestMerchant(world, { account: { bank, accountDigits: '4321' } });
  await world.sql`insert into mailboxes ${world.sql({
    merchant_id: merchantId,
    provider: 'other',
    address: 'merchant@shop.in',
    username: 'merchant',
    host: 'imap.shop.in',
    port: 993,
    credential: 'sealed',
    revision: 1,
    connected_at: world.clock.now(),
  })}`;
  return merchantId;
}

/** Mails that arrived and were judged, as their verdicts in the same order. */
export async function receive(
  world: TestWorld,
  merchantId: number,
  raws: readonly Buffer[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [at, raw] of raws.entries()) {
    const mail = { merchantId, raw, arrivedAt: world.clock.now(), foundIn: `INBOX/1/${at}` };
    ids.push((await world.sql.begin(tx => storeMail(tx, mail))).alertId);
  }
  await judgeAll(world);
  return await Promise.all(ids.map(id => verdictOf(world, id)));
}

export async function judgeAll(world: TestWorld): Promise<void> {
  const judging = openJudging(world);
  try {
    await judgeStoredMails(world, judging.tools);
  } finally {
    await judging.close();
  }
}

export async function verdictOf({ sql }: TestWorld, alertId: string): Promise<string> {
  const [row] = await sql<{ verdict: string }[]>`select verdict from alerts where alert_id = ${alertId}`;
  return row!.verdict;
}
