import { productName } from '../product-name.ts';
import { deeds as roles } from './reasons/deeds.ts';

type Role = 'owner' | 'manager' | 'support' | 'developer' | 'auditor' | 'cashier' | 'operator';
type RoleChange = { business: string; by: string; before: Role; after: Role | null };

/** The mails that carry a link to one person, and the code of an extra address. A name inside a subject must hold no line break. */
export const mails = {
  openBusiness: (link: string) => ({
    subject: `Open your business on ${productName.en}`,
    text: `Open this within seven days to choose a password:\n${link}\n\nIf you did not ask for it, do nothing.\n`,
  }),
  hasAccount: (signIn: string) => ({
    subject: `You have an account on ${productName.en} already`,
    text: `Somebody, most likely you, wanted to open a business with this address, which has an account already.\n\nSign in, or ask for a new password:\n${signIn}\n`,
  }),
  join: ({ by, business, link }: { by: string; business: string; link: string }) => ({
    subject: `Join ${business} on ${productName.en}`,
    text: `${by} invites you to join ${business} on ${productName.en}.\n\nOpen this within seven days to choose a password:\n${link}\n`,
  }),
  recover: ({ email, link, address }: { email: string; link: string; address: string }) => ({
    subject: `A new password for ${productName.en}`,
    text:
      `Somebody, most likely you, asked for a new password for ${email}.\n\nOpen this within an hour:\n${link}\n\n` +
      `It was asked for from ${address}. If that was not you, do nothing: the old password stays.\n`,
  }),
  /** `after` is null for somebody who was removed. */
  role: ({ business, by, before, after }: RoleChange) => ({
    subject: `Your role in ${business} on ${productName.en}`,
    text:
      (after === null
        ? 'You were removed from the team and can no longer sign in.'
        : `Your role was changed from ${roles[before]} to ${roles[after]}.`) +
      `\n\nBusiness: ${business}\nBy: ${by}\n\nIf this should not be, ask an owner of the business or the operator of this service.\n`,
  }),
  /** To everybody whose account an import brought. Nothing in it comes from the imported file. */
  moved: ({ signIn, isToConnect }: { signIn: string; isToConnect: boolean }) => ({
    subject: `Your account on ${productName.en} was moved`,
    text:
      `Your account was moved to another installation of ${productName.en}, with your business. Sign in there from now on:\n${signIn}\n\n` +
      'If your password is not accepted, ask for a new one on that page.\n' +
      (isToConnect ? 'Then connect the mailbox again, and give your shop the new webhook secret.\n' : '') +
      `\nIf you have no account on ${productName.en}, ignore this mail.\n`,
  }),
  /** To the operator, who alone may list a line. */
  heldLines: ({ lines, link }: { lines: readonly { bank: string; line: string }[]; link: string }) => ({
    subject: `Mails of banks are held: ${lines.length} new ${lines.length === 1 ? 'line' : 'lines'}`,
    text:
      'Credits stand below lines that are not listed for their bank, so their mails are held and pay nothing:\n\n' +
      `${lines.map(({ bank, line }) => `${bank}: ${line}`).join('\n')}\n\n` +
      `Look at them and list those that are the bank's own:\n${link}\n`,
  }),
  /** To the operator, with SIGNUPS=approve. */
  awaitsWord: ({ count, link }: { count: number; link: string }) => ({
    subject: `New businesses wait for your word: ${count}`,
    text: `They opened by themselves, and take little until you agree:\n${link}\n`,
  }),
  /** To the operator: customers reported payment pages. What they wrote stands on the screen alone. */
  reports: ({ count, link }: { count: number; link: string }) => ({
    subject: `Payment pages were reported: ${count}`,
    text: `Customers say that something is wrong with payment pages of businesses here:\n${link}\n`,
  }),
  /** To the operator: somebody wrote to the postmaster of the mail domain. The words below are a stranger's. */
  postmaster: (shown: string) => ({
    subject: 'A mail to the postmaster of your mail domain',
    text: `Somebody wrote to the postmaster. This is how their mail begins; it may be from anybody, and is not kept:\n\n${shown.replace(/^/gm, '> ')}\n`,
  }),
  /** Filters and people know it by its subject; the proof is in a header. */
  probe: {
    subject: 'Milaan probe: tests your forwarding',
    text: 'This mail tests whether what your bank mails to this address reaches your shop. It comes a few times a day; nothing needs to be done.\n\nA filter may send it on and then delete it. It is sent because your business on Milaan forwards its alerts; to end it, give the forwarding address up on the Mailbox screen.\n',
  },
  addressCode: (code: string) =>
    [
      `Code: ${code}`,
      'A shop wants the payment alerts that its bank sends to this address to count as its own.',
      'If alerts to this address are forwarded to the shop, nothing needs to be done: the code arrives with them.',
      'If you did not expect this mail, ignore it. Never pass the code on to a stranger.',
    ].join('\n\n'),
};
