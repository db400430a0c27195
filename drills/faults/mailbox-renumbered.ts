import { minute, second } from '../../src/base/clock.ts';
import { plainMail } from '../../test/support/test-mailbox.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { alertIdOf, type Bank, forgedMail } from './bank.ts';
import type { Fault } from './faults.ts';
import type { Stage } from './stage.ts';

/** So many of the mails that lie in a renumbered mailbox are from the bank's address. */
const bankMails = 1_000;
/** A file system gives one file so many names, and more. */
const copies = 20_000;

/** How long an alert of now may wait while old mails are read again. */
const longestWait = 30 * second;

/**
 * A mailbox with many mails of the day comes back with another UIDVALIDITY, and customers pay while it is read again.
 * It counts if all mails were read, each bank mail is stored, and somebody paid during that time.
 */
export function mailboxRenumbered(
  { processes, dovecot, merchants, shop, world }: Stage,
  bank: Bank,
  mails: number,
): Fault {
  const merchant = merchants[0]!;
  const { address, merchantId } = merchant;
  const readers = processes.of('mail');
  // A machine that is busy with so many mails may not answer in time; the question is asked again.
  const position = () =>
    world.sql<{ uidvalidity: number; rest_below: number | null }[]>`
      select uidvalidity, rest_below from mailbox_positions
      where merchant_id = ${merchantId} and folder = 'INBOX'`.then(
      ([row]) => row,
      () => undefined,
    );
  return {
    kind: `a mailbox of ${mails} mails renumbered`,
    async strike() {
      const before = await position();
      const written = Promise.withResolvers<void>();
      // An open session would keep the old numbers alive, so no process reads until all of it is written.
      await Promise.all(readers.map(one => one.end('SIGTERM', written.promise)));
      const bulk = plainMail({ from: 'offers@news.example', to: address });
      for (let left = mails - bankMails; left > 0; left -= copies)
        await dovecot.deliverCopies(address, bulk, Math.min(left, copies));
      const forged = Array.from({ length: bankMails }, (_, at) => forgedMail(200, 1_000_000 + at));
      for (const raw of forged) await dovecot.deliver(address, raw);
      await dovecot.forgetUids(address);
      written.resolve();
      await waitFor('mail is read again', () => readers.every(one => one.isReady()), 4 * minute);
      const since = Date.now();
      const isRead = async () => {
        const now = await position();
        return now !== undefined && now.uidvalidity !== before?.uidvalidity && now.rest_below === null;
      };
      await waitFor('all of it to be read', isRead, 20 * minute);
      const paid = bank.mails.filter(
        mail =>
          mail.merchant === merchant && mail.what === 'genuine payment' && !mail.inJunk && mail.at >= since,
      );
      // An order may be paid twice, and the shop is notified with the reference that came first.
      const notifiedAt = (reference: string) =>
        shop.notified.get([...bank.paid].find(([, { references }]) => references.has(reference))?.[0] ?? '')
          ?.firstAt;
      const waits = () => paid.map(({ reference, at }) => (notifiedAt(reference) ?? Date.now()) - at);
      await waitFor(
        'all to be told',
        () => paid.every(mail => notifiedAt(mail.reference)),
        longestWait,
      ).catch(() => {});
      const longest = Math.max(0, ...waits());
      if (longest > longestWait)
        throw new Error(`an alert waited ${longest / second} s while old mails were read again`);
      const stored = await world.sql`
        select from alerts where merchant_id = ${merchantId}
          and alert_id = any(${forged.map(raw => alertIdOf(merchant, raw))}::text[])`;
      return stored.length === bankMails && paid.length > 0;
    },
  };
}
