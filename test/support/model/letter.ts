import { join } from 'node:path';
import type { Bank } from '../../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { paise, rupeesText } from '../../../src/base/money.ts';
import { altered, linesWith, onTop } from '../genuine-alert.ts';
import { mailKey, signMail } from '../signed-mail.ts';

/** The banks: `model`, where the businesses are, and `stranger`. Some of their wordings carry a reference, some do not. */
export const modelBanks = (): Bank[] =>
  loadBanks(join(import.meta.dirname, 'model-bank.json')).filter(({ id }) => id in domains);
const domains = { model: 'test.bank.in', stranger: 'stranger.bank.in' };

/** The DNS name at which a bank publishes a selector's key. */
export const keyName = (selector: string, bank: keyof typeof domains = 'model') =>
  `${selector}._domainkey.${domains[bank]}`;

/** The bank's mail. */
export type Letter = {
  bank?: keyof typeof domains;
  to: string[];
  cc?: string[];
  selector?: string;
  amount: number;
  digits: string;
  reference: string | null;
  /** The day since 1970 that the reference names, if it names one. */
  statedDay?: number;
  /** In a wording that nobody has confirmed yet. */
  onTrial?: boolean;
  /** The signed Date, milliseconds; whole seconds, as mails have them. */
  date: number;
  signedAt: number;
  /** Makes each payment's mail its own, as payers do. */
  payer: string;
};

/** The bank's mail, really signed. */
export function writeLetter(letter: Letter): Buffer {
  const domain = domains[letter.bank ?? 'model'];
  const lines = linesWith({
    From: `The bank <alerts@${domain}>`,
    To: letter.to.join(', '),
    Cc: letter.cc?.join(', ') ?? null,
    Date: new Date(letter.date).toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<${letter.payer}@${domain}>`,
  });
  const amount = rupeesText(paise(letter.amount));
  const body =
    letter.reference === null
      ? `Rs.${amount} was received by UPI in your account XX${letter.digits} from ${letter.payer}@okbank. Thank you.`
      : letter.onTrial === true
        ? `Rs.${amount} was credited into your account XX${letter.digits} from ${letter.payer}@okbank. UPI reference ${letter.reference}.`
        : `Rs.${amount} is credited to your account XX${letter.digits} by ${letter.payer}@okbank. UPI reference ${letter.reference}.`;
  return signMail(lines, `Dear Customer, ${body}\r\n`, {
    domain,
    selector: letter.selector ?? 's1',
    tags: [`t=${letter.signedAt / 1000}`],
  });
}

export const forgeries = ['amount changed', 'recipient changed', 'foreign key', 'unsigned'] as const;
export type Forgery = (typeof forgeries)[number];

/** The mail that somebody would have liked the bank to write. */
export function forgeLetter(letter: Letter, how: Forgery): Buffer {
  const genuine = writeLetter(letter);
  const text = genuine.toString('latin1');
  switch (how) {
    case 'amount changed':
      return altered(
        writeLetter({ ...letter, amount: 1_00 }),
        /Rs\.1\.00/,
        `Rs.${rupeesText(paise(letter.amount))}`,
      );
    case 'recipient changed':
      return altered(
        writeLetter({ ...letter, to: ['stranger@elsewhere.in'] }),
        'To: stranger@elsewhere.in',
        `To: ${letter.to.join(', ')}`,
      );
    case 'foreign key': {
      const [, ...rest] = text.split('\r\n');
      const [head, body = ''] = rest.join('\r\n').split('\r\n\r\n');
      return signMail(head!.split('\r\n'), body, { domain: 'test.bank.in', key: mailKey(2048, 'stranger') });
    }
    case 'unsigned':
      return Buffer.from(text.slice(text.indexOf('\r\n') + 2), 'latin1');
  }
}

/** The same mail as another server handed it over. */
export function deliveredBy(raw: Buffer, server: number): Buffer {
  return onTop(raw, `Received: from mx${server}.test.bank.in by mail.shop.in; ${new Date(0).toUTCString()}`);
}
