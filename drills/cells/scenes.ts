import { connectMailbox, disconnectMailbox } from '../../src/alerts/mailboxes/connect-mailbox.ts';
import { trustedRoots } from '../../src/alerts/mailboxes/open-connection.ts';
import { type Paise, paiseFromRupees, rupeesText } from '../../src/base/money.ts';
import { sayReason } from '../../src/texts/say.ts';
import { createPatiently } from '../../test/support/live-shop.ts';
import { signMail } from '../../test/support/signed-mail.ts';
import { alertIdOf } from '../faults/bank.ts';
import { bankDomain, imapHost } from '../faults/names.ts';
import { type Merchant, password } from '../faults/stage.ts';
import type { CellsStage } from './stage.ts';

let written = 0;

/** One mail of the bank to all of these addresses. */
export function bankMail(to: readonly string[], amount: Paise) {
  const reference = String(691_000_000_000 + ++written);
  const lines = [
    `From: Test Bank <alerts@${bankDomain}>`,
    `To: ${to.join(', ')}`,
    'Subject: Account update',
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <scene-${written}@${bankDomain}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
  ];
  const body = `Dear Customer, Rs.${rupeesText(amount)} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}. Thank you.\r\n`;
  const tags = [`t=${Math.floor(Date.now() / 1000)}`];
  return { reference, raw: signMail(lines, body, { domain: bankDomain, selector: 's1', tags }) };
}

type Made = { orderId: string; payable: Paise };

export async function order(
  { address }: CellsStage,
  merchant: Merchant,
  amount: number,
  id: string,
): Promise<Made> {
  const said = await createPatiently(address, merchant.apiKey, {
    amount,
    merchant_order_id: id,
    webhook_url: merchant.webhookUrl,
  });
  return { orderId: said.order.order_id, payable: paiseFromRupees(said.order.payable_amount) };
}

/** Orders of the same rupees in both shops, until one amount is asked for in both. */
export async function sameAmount(stage: CellsStage, one: Merchant, other: Merchant, amount: number) {
  const first = await order(stage, one, amount, `same-${amount}`);
  for (let count = 0; count < 150; count++) {
    const second = await order(stage, other, amount, `same-${amount}-${count}`);
    if (second.payable === first.payable) return { first, second };
  }
  throw new Error('no two orders ask for the same amount');
}

/** Moves a mailbox as the dashboard does: one business disconnects it, and the other connects it. */
export async function giveMailbox(stage: CellsStage, from: Merchant, to: Merchant): Promise<void> {
  await stage.inWorld(async world => {
    const cells = world.cells!;
    const [giver, taker] = [cells.of(from.merchantId), cells.of(to.merchantId)];
    await giver.sql.begin(tx => disconnectMailbox(tx, from.merchantId, giver.clock.now()));
    // Ten minutes later: so long an address whose row is gone still waits for it.
    await world.sql`update taken set since = since - interval '11 minutes' where name = ${from.address}`;
    const settings = {
      provider: 'other' as const,
      address: from.address,
      host: imapHost,
      port: stage.mailbox.port,
      credential: { kind: 'password' as const, password },
    };
    const roots = trustedRoots(stage.mailbox.ca);
    const connected = await connectMailbox(taker, to.merchantId, settings, { roots });
    if (!connected.ok) throw new Error(sayReason('en', connected.reason));
  });
}

export async function stored(
  stage: CellsStage,
  orderId: string,
): Promise<{ status: string; bank_reference: string | null }[]> {
  const found = await Promise.all(
    stage.databases.map(
      sql => sql<{ status: string; bank_reference: string | null }[]>`
        select status, bank_reference from orders join merchants using (merchant_id)
        where order_id = ${orderId} and moved_at is null`,
    ),
  );
  return found.flat();
}

/** The verdict on a mail in a business's mailbox; null if it was not stored. */
export async function verdictOf(stage: CellsStage, merchant: Merchant, raw: Buffer): Promise<string | null> {
  const found = await Promise.all(
    stage.databases.map(
      sql => sql<{ verdict: string }[]>`
        select a.verdict from alerts a join merchants m using (merchant_id)
        where alert_id = ${alertIdOf(merchant, raw)} and m.moved_at is null`,
    ),
  );
  return found.flat()[0]?.verdict ?? null;
}
