import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../src/base/clock.ts';
import { type Paise, paise, rupeesText } from '../../src/base/money.ts';
import { altered, genuineLines, onTop } from '../../test/support/genuine-alert.ts';
import { mailKey, signMail } from '../../test/support/signed-mail.ts';
import type { KnownOrder } from './checkout.ts';
import type { Dice } from './dice.ts';
import { bankDomain, otherBankDomain } from './names.ts';
import type { Merchant, Stage } from './stage.ts';

/** A mail in a mailbox, and the verdicts that are right for it. */
type SentMail = {
  merchant: Merchant;
  alertId: string;
  what: string;
  verdicts: string[];
  reference: string;
  /** When it was handed over for the first time. */
  at: number;
  /** Found by nobody's idling: only the look into Junk, every half minute, meets it. */
  inJunk: boolean;
};

/** The bank's own books: what was truly paid, whatever the mails and the service make of it. */
export type Bank = {
  /** References of true payments made in time, by order. Any of them may be the one that counts. */
  paid: Map<string, { order: KnownOrder; references: Set<string> }>;
  mails: SentMail[];
  sent: Map<string, number>;
  pay(order: KnownOrder): Promise<void>;
  /** The customer leaves the paise out. Answers the alert; the owner takes it for the order. */
  nearMiss(order: KnownOrder): Promise<string>;
  /** One mail that must not pay anything, by somebody who knows an open order. */
  attack(order: KnownOrder): Promise<void>;
  payTooLate(order: { merchant: Merchant; payable: Paise }): Promise<void>;
  /** From now on some mails take their time, until `flush`. */
  open(): void;
  /** Mails that wait for their delivery are delivered now, and this resolves when all are. */
  flush(): Promise<void>;
};

/** A bank that moves to a new selector every so often: a key in memory is not enough to read its mails. */
const selectorEvery = 20 * second;
const references = 700_000_000_000;

export function openBank({ deliver, merchants }: Pick<Stage, 'deliver' | 'merchants'>, dice: Dice): Bank {
  let written = 0;
  let hurry = new AbortController();
  const underWay = new Set<Promise<void>>();

  const write = (merchant: Merchant, amount: Paise, { key = mailKey(), to = merchant.address } = {}) => {
    const now = Date.now();
    const reference = String(references + ++written);
    const lines = [
      `From: Test Bank <alerts@${bankDomain}>`,
      `To: ${to}`,
      'Subject: Account update',
      `Date: ${new Date(now).toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${written}@${bankDomain}>`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
    ];
    const body = `Dear Customer, Rs.${rupeesText(amount)} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}. Thank you.\r\n`;
    const selector = `s${Math.floor(now / selectorEvery)}`;
    const tags = [`t=${Math.floor(now / second)}`];
    return { reference, raw: signMail(lines, body, { domain: bankDomain, selector, key, tags }) };
  };

  /** A genuine alert of another bank that we know, about the thief's own account there; it prints no digits. */
  const writeElsewhere = ({ address }: Merchant, amount: Paise) => {
    const now = Date.now();
    const reference = String(references + ++written);
    const lines = [
      `From: Equitas <esfb-alerts@${otherBankDomain}>`,
      `To: ${address}`,
      'Subject: UPI Credit Alert',
      `Date: ${new Date(now).toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${written}@${otherBankDomain}>`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
    ];
    const body = `Dear Customer, An amount of INR ${rupeesText(amount)} has been credited to your account. UPI REF NO ${reference}\r\n`;
    const tags = [`t=${Math.floor(now / second)}`];
    return { reference, raw: signMail(lines, body, { domain: otherBankDomain, selector: 's1', tags }) };
  };

  /** Most mails arrive at once; some take their time. */
  const send = async (
    merchant: Merchant,
    mail: { raw: Buffer; reference: string },
    what: string,
    verdicts: string[],
  ) => {
    const delay = dice.isLucky(0.15) ? dice.between(1, 40) * second : 0;
    const folder = dice.isLucky(0.1) ? 'Junk' : 'INBOX';
    const way = dice.pick(['mailbox', 'forwarding', 'both'] as const);
    const work = (async () => {
      if (delay > 0) await sleep(delay, undefined, { signal: hurry.signal }).catch(() => {});
      bank.mails.push({
        merchant,
        alertId: alertIdOf(merchant, mail.raw),
        what,
        verdicts,
        reference: mail.reference,
        at: Date.now(),
        inJunk: folder === 'Junk' && way === 'mailbox',
      });
      bank.sent.set(what, (bank.sent.get(what) ?? 0) + 1);
      await deliver(merchant, mail.raw, folder, way);
    })();
    underWay.add(work);
    await work.finally(() => underWay.delete(work));
  };

  const bank: Bank = {
    paid: new Map(),
    mails: [],
    sent: new Map(),
    async pay(order) {
      const { merchant } = order;
      const account = bank.paid.get(order.orderId) ?? { order, references: new Set<string>() };
      bank.paid.set(order.orderId, account);
      const again = dice.isLucky(0.05);
      const repeated = dice.isLucky(0.1);
      const mail = write(merchant, order.payable);
      account.references.add(mail.reference);
      const alike = again ? ['paid', 'extra_payment'] : ['paid'];
      const sending = [send(merchant, mail, 'genuine payment', repeated ? [...alike, 'duplicate'] : alike)];
      if (repeated) {
        const copy = { ...mail, raw: onTop(mail.raw, 'Received: by another.example') };
        sending.push(send(merchant, copy, 'copy of a genuine mail', [...alike, 'duplicate']));
      }
      if (again) {
        const second = write(merchant, order.payable);
        account.references.add(second.reference);
        sending.push(send(merchant, second, 'second payment of an order', alike));
      }
      await Promise.all(sending);
    },
    async nearMiss(order) {
      const mail = write(order.merchant, paise(order.amount * 100));
      bank.paid.set(order.orderId, { order, references: new Set([mail.reference]) });
      await send(order.merchant, mail, 'slip that the owner takes', ['paid']);
      return alertIdOf(order.merchant, mail.raw);
    },
    async attack(order) {
      const { merchant, payable, amount } = order;
      const other = merchants.find(one => one !== merchant)!;
      const attacks: (() => Promise<void>)[] = [
        async () => {
          const { raw, reference } = write(merchant, paise(1_00));
          const changed = altered(raw, 'Rs.1.00', `Rs.${rupeesText(payable)}`);
          await send(merchant, { raw: changed, reference }, 'forged: amount changed', ['forged']);
        },
        () =>
          send(
            merchant,
            write(merchant, payable, { key: mailKey(2048, 'attacker') }),
            'forged: foreign key',
            ['retrying'],
          ),
        async () => {
          const { raw, reference } = write(merchant, payable);
          const unsigned = altered(raw, /^DKIM-Signature: .*\r\n/, '');
          await send(merchant, { raw: unsigned, reference }, 'forged: unsigned', ['forged']);
        },
        () =>
          send(merchant, write(merchant, payable, { to: other.address }), "another's payment", [
            'wrong_recipient',
          ]),
        () =>
          send(merchant, writeElsewhere(merchant, payable), "a thief's payment at another bank", [
            'wrong_account',
          ]),
        // Ten thousand rupees and more: nothing in this drill costs that, but for one amount far away.
        () =>
          send(merchant, write(merchant, paise(dice.whole(11_000_00, 12_000_00))), 'unknown amount', [
            'no_order',
          ]),
        // The order's requested amount: no payable amount equals it (R6), so it pays nobody.
        () => send(merchant, write(merchant, paise(amount * 100)), 'wrong paise', ['no_order']),
      ];
      await dice.pick(attacks)();
    },
    payTooLate: ({ merchant, payable }) =>
      send(merchant, write(merchant, payable), 'paid too late', ['too_late']),
    open() {
      hurry = new AbortController();
    },
    async flush() {
      hurry.abort();
      await Promise.all(underWay);
    },
  };
  return bank;
}

/** Derives the id as the service does, from the business and the bytes. */
export function alertIdOf({ merchantId }: Pick<Merchant, 'merchantId'>, raw: Buffer): string {
  return `al_${createHash('sha256').update(`${merchantId}\n`).update(raw).digest('hex').slice(0, 40)}`;
}

/** In the bank's name, and signed by nobody. */
export function forgedMail(bytes: number, number: number): Buffer {
  const lines = genuineLines.map(line =>
    line.startsWith('From:') ? `From: Test Bank <alerts@${bankDomain}>` : line,
  );
  return Buffer.from(`${lines.join('\r\n')}\r\nX-Number: ${number}\r\n\r\n${'spam '.repeat(bytes / 5)}\r\n`);
}
