import { mailKey, signMail } from '../../test/support/signed-mail.ts';
import { type HdfcAlert, hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';

const attacker = 'attacker.example';
const attackersKey = mailKey(2048, 'attacker');

/** The DNS records of the benchmark: keys of the bank, its mailing service and an attacker. */
export const records: Record<string, string> = {
  ...hdfcRecords(),
  [`s1._domainkey.${attacker}`]: attackersKey.record,
};

/** Five mails that must not pay an order, although its amount is in each of them. */
export const forgeries: Record<string, (alert: HdfcAlert) => Buffer> = {
  'no signature': alert => withoutSignatures(hdfcMail(alert)),
  'signed by another domain': alert =>
    signMail(linesOf(alert), bodyOf(creditOf(alert)), { domain: attacker, key: attackersKey }),
  "another customer's alert": alert => hdfcMail({ ...alert, to: 'somebody.else@example.in' }),
  'an alert from an hour before the order': alert =>
    hdfcMail({ ...alert, sentAt: new Date(alert.sentAt.getTime() - 3_600_000) }),
  "a debit's alert with a payer's remark": alert =>
    signMail(
      linesOf(alert),
      bodyOf(`Rs.1.00 has been debited from account 4321. Remark: ${creditOf(alert)}`),
      {
        domain: 'hdfcbank.bank.in',
        selector: 'bench1',
        key: mailKey(2048, 'hdfc bank'),
      },
    ),
};

function withoutSignatures(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/^DKIM-Signature:.*\r\n/gm, ''), 'latin1');
}

function linesOf({ to, sentAt }: HdfcAlert): string[] {
  return [
    'From: HDFC Bank InstaAlerts <alerts@hdfcbank.bank.in>',
    `To: ${to}`,
    'Subject: View: Account update for your HDFC Bank A/c',
    `Date: ${sentAt.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
  ];
}

function creditOf({ amount, reference }: HdfcAlert): string {
  return (
    `Rs.${amount} has been successfully credited to your HDFC Bank account ending in 4321. Transaction Details: ` +
    `a. Date: 15-11-26 b. Sender: MEERA IYER (VPA: meera.iyer@okaxis) c. UPI Reference No.: ${reference}`
  );
}

function bodyOf(words: string): string {
  return `Dear Customer, Greetings from HDFC Bank! We're writing to inform you that ${words}\r\n`;
}
