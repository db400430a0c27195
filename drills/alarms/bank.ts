import { type DnsServer, startDnsServer } from '../../test/support/dns-server.ts';
import type { Dovecot } from '../../test/support/dovecot.ts';
import { linesWith } from '../../test/support/genuine-alert.ts';
import { type MailKey, mailKey, signMail } from '../../test/support/signed-mail.ts';

export const mailbox = 'alarms@shop.example';

/** The test bank: what it writes, and what DNS says of it. Both can go wrong. */
export type Bank = {
  dns: DnsServer;
  /** Names and the keys that DNS gives for them. */
  keys: Map<string, MailKey>;
  /** False: every question is answered with a failure of the server. */
  answers: boolean;
  writes(rupees: number, how?: Writing): Promise<void>;
};

type Writing = {
  selector?: string;
  domain?: string;
  key?: MailKey;
  /** A line above the sentence. */
  line?: string;
  /** Something else than the sentence. */
  text?: string;
  /** Changes the mail after it was signed. */
  forge?: boolean;
};

const signer = mailKey(2048, 'bank');

export async function openBank(dovecot: Dovecot): Promise<Bank> {
  const keys = new Map([['s1._domainkey.test.bank.in', signer]]);
  let reference = 710_000_000_000;
  const bank: Bank = {
    keys,
    answers: true,
    dns: await startDnsServer(({ name, type }) => {
      if (!bank.answers && type === 'TXT') return 'servfail';
      if (name === dovecot.host) return type === 'A' ? [{ name, type, ttl: 60, data: '127.0.0.1' }] : [];
      const key = keys.get(name);
      if (!key) return 'nxdomain';
      return type === 'TXT' ? [{ name, type, ttl: 60, data: key.record.match(/.{1,255}/g)! }] : [];
    }),
    async writes(rupees, { selector = 's1', domain = 'test.bank.in', key = signer, line, text, forge } = {}) {
      reference += 1;
      const sentence =
        text ??
        `Rs.${rupees.toFixed(2)} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}.`;
      const body = ['Dear Ravi Kumar,', ...(line ? [line] : []), sentence, 'Thank you.', ''].join('\r\n');
      const lines = linesWith({
        To: mailbox,
        Date: new Date().toUTCString().replace('GMT', '+0000'),
        'Message-ID': `<${reference}@test.bank.in>`,
      });
      const raw = signMail(lines, body, { domain, selector, key });
      await dovecot.deliver(
        mailbox,
        forge ? Buffer.from(raw.toString().replace('Thank you.', 'Thank you!')) : raw,
      );
    },
  };
  return bank;
}
