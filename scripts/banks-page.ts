import type { Bank, UpiMails } from '../src/alerts/banks/bank.ts';
import {
  payingTemplates,
  printedDigits,
  printsFewDigits,
  supportOf,
  whyNot,
} from '../src/alerts/banks/bank-support.ts';
import * as texts from '../src/texts/en/texts.ts';

/** `docs/banks.md`, "Is my bank supported?", as the bank files tell it; `npm run docs` writes it. */
export function banksPage(banks: readonly Bank[]): string {
  const byName = [...banks].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const of = (support: ReturnType<typeof supportOf>) => byName.filter(bank => supportOf(bank) === support);
  return `# Is my bank supported?

Milaan confirms a payment when your bank **sends a mail** for it and Milaan can **read that mail**. An SMS is of no use. No bank has to send mails, some send them only where the customer switched them on, and hardly any says in public what it sends. So this page says what is known, and **one rupee says more**: try it before you rely on it.

This page is made from the files that Milaan reads by. _Checked_ is the day on which an entry was last compared with what is known of the bank's mails. Your operator may have added banks since; the list under _First steps_ in the dashboard is the one that counts for you.

## Confirmed

Mails of these banks about small UPI payments have been seen, and their words are read. Such a mail makes an order paid by itself. A bank writes in more than one way. If only a form fits that nobody has seen yet, the payment waits, as in the next table.

${table(['bank', 'account digits in its mail', 'what is known', 'checked'], of('confirmed').map(row))}

## Not confirmed yet: try one rupee

Milaan has a wording for these banks, put together from descriptions or from mails about other money. Nobody has shown it a mail of theirs about a UPI payment, or it is not certain that every customer gets one. A mail that reads differently is kept and shown to you, and confirms nothing.

Such a wording is on trial: its **first three payments** wait for you. You look into your bank's app and say with one tap that the money is in your account; that makes the order paid. From the fourth on it pays by itself. The rupee of the proof under _First steps_, which you confirm the same way, counts for all three, so try that first. If it has paid you before, nothing waits.

${table(['bank', 'account digits in its mail', 'what is known', 'checked'], of('unconfirmed').map(row))}

The UPI mail of Kotak 811 was described by two people who have such a mailbox, and its body agrees. Its subject is not known, so its wordings stay on trial.

## Cannot be read

A UPI account at one of these is not accepted, because no order on it could ever be confirmed.

${table(
  ['bank', 'why', 'checked'],
  of('cannot').map(bank => [bank.name, texts.banks.cannot[whyNot(bank)!], bank.checked ?? 'never']),
)}

What you can do: let the shop's money arrive at a bank of the first table; a second account is enough, it need not be your main one. Or ask your bank for an **e-mail** for every credit, let another person pay one rupee to your UPI ID, and if a mail does come, [try it](#try-your-own-mail): then this page is wrong, and we want to know.

## Not known yet

Nobody has shown us a mail of these about a UPI payment; that does not mean that they send none. The day behind each is that of the last search. A UPI account at one of them is accepted as soon as its mails can be read.

${of('unknown')
  .map(bank => `- ${bank.name} (${bank.checked ?? 'never'})${bank.reviewOnly ? `: ${reviewOnly}` : ''}`)
  .join('\n')}

### How your bank is added

Every bank that this page does not name is not known yet either. If one rupee brings you a mail, save it as a file and try it under _First steps_ on your dashboard. Then give the file to the operator of the service: they can add the bank in minutes, without a new version ([how they do it](adding-a-bank.md)). Or send the mail, with names and numbers replaced, by the issue form “My bank's mail is not read”.

## What may change on 1 January 2027

The Reserve Bank of India issued Directions on 24 June 2026 that take effect on 1 January 2027. Their draft of 6 March 2026 required a mail for every electronic transaction where the bank knows an address. The final wording on credits is not known to us (19 November 2026).

Banks may therefore change their mails around that day. Milaan notices it if a bank stops reporting money in its mails. The operator gets an [alarm](alarms.md#milaanbankquiet), and the shop sees it on its home page.

## Closed

${of('closed')
  .map(bank => `- ${bank.name}: ${bank.closed}. Its mails confirm nothing any more.`)
  .join('\n')}

## One rupee

1. In your bank's app or net banking look for “Alerts” or “Notifications”. Switch on alerts for **money received (credits), by e-mail**, and set the smallest amount to ₹0 or ₹1. Limits that the bank names for SMS do not matter here.
2. Let **another person** pay one rupee to your UPI ID, because banks do not always send a mail for a transfer between your own accounts.
3. Look into the mailbox, Spam included. Most banks write within a minute. A QR code of an acquirer may be settled once a day in one sum: use the UPI ID of the bank account itself.
4. If there is a mail, try it as below. If there is none after ten minutes, this bank does not write to you: ask it, or take another.

## Try your own mail

_First steps_ in the dashboard takes a mail as a file, before any mailbox is connected, and says at once which bank it is from, whether the bank's signature holds, what was read and whether it would confirm a payment. Nothing of it is kept. On the machine, \`milaan explain-alert mail.eml --addressed-to you@example.com\` does the same.

To save a mail as a file:

- Gmail in a browser: open the mail, ⋮, _Download message_.
- Outlook on the web: open the mail, ⋯, _Save as_ or _Download_; in Outlook for Windows save it as \`.eml\` too: a \`.msg\` is no mail any more and cannot be checked.
- On a phone the apps save no mails: open the mailbox in the phone's browser as a desktop site, or at a computer.

A mail that was forwarded, or copied into another, has lost the bank's signature and proves nothing.

## Large payments: your own ceiling

Whatever the bank, the owner may say for each UPI account above which sum they look themselves (_Shop › Bank and UPI_, "Manual check"). An exact payment above it waits for the same one tap. It is off until you set it.

## Account digits: how well you are protected

A bank's mail counts only for the account whose last digits it prints. With four digits or more somebody else's account at the same bank is practically never taken for yours; with three, one in a thousand would be. Where a bank prints two or none, the protection is weaker: then let the bank write to an address that nobody knows: your [forwarding address](mailboxes.md#forwarding) without a mailbox, or a new mailbox that you use for nothing else. An extra address of a mailbox does not help, because the mailbox's own address still counts.
`;
}

/** A bank whose mails do not hold. */
const reviewOnly =
  'its mails are reported to tell of money that never came, so they will never make an order paid by themselves; each payment waits until its owner has found it in the account';

function row(bank: Bank): string[] {
  return [bank.name, digits(bank), known(bank), bank.checked ?? 'never'];
}

/** With fewer, one account in a thousand looks like the shop's own. */
const strongDigits = 4;

function digits(bank: Bank): string {
  const count = printedDigits(bank);
  const strength = printsFewDigits(bank)
    ? 'weaker protection: use a secret address'
    : count < strongDigits
      ? 'fair'
      : 'strong';
  return `${count === 0 ? 'none' : count}, ${strength}`;
}

function known(bank: Bank): string {
  const paying = payingTemplates(bank);
  const confirmed = paying.filter(({ unconfirmed }) => !unconfirmed);
  const isImpsOnly = confirmed.length > 0 && confirmed.every(({ channel }) => channel === 'imps');
  const isRead = confirmed.length > 0 ? confirmed : paying;
  const hasReference = isRead.some(({ written }) => written.body.includes('{reference}'));
  return [
    bank.upiMails && mails[bank.upiMails],
    bank.alertSetting !== null && `The setting is called “${bank.alertSetting}”.`,
    isImpsOnly && supportOf(bank) === 'unconfirmed' && 'Its IMPS mail is confirmed, its UPI mail not.',
    !hasReference && 'Its mail prints no UPI reference.',
    bank.reviewOnly && `Careful: ${reviewOnly}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const mails: Record<UpiMails, string> = {
  stated: 'The bank says that it mails every UPI payment, whatever its amount.',
  seen: 'Mails about UPI payments were seen; the bank itself says nothing.',
  some: 'Mails about UPI payments were seen, but only for some kinds of its accounts.',
  likely: 'It mails UPI payments that leave the account, so it likely mails those that come in.',
  unknown: 'Whether it mails UPI payments is not known.',
};

/** Aligned as the formatter wants it. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(...[head, ...rows.map(cells => cells[at]!)].map(widthOf)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell + ' '.repeat(widths[at]! - widthOf(cell))).join(' | ')} |`;
  return [line(heads), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function widthOf(text: string): number {
  return [...text].length;
}
