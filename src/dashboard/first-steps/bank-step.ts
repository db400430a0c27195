import type { Bank } from '../../alerts/banks/bank.ts';
import { canConfirm, supportOf, whyUnread } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { button, linkButton } from '../frame/controls.ts';
import { note } from '../frame/parts.ts';
import { bankPicker } from '../upi-accounts/bank-fields.ts';
import type { Path } from './read-path.ts';

export function bankStep(texts: Texts, { banks, chosen }: Path): Html {
  const words = texts.firstSteps;
  return html`<p>${words.bankText}</p>
<form method="get" action="/dashboard/first-steps" class="stack">
${bankPicker(texts, banks, { label: texts.labels.bank, value: chosen?.id ?? '' })}
<div class="actions">${button(texts.account.goOn)}</div>
</form>
${chosen && !canConfirm(chosen) && noWay(texts, chosen)}
<p class="quiet">${words.notListed} <a href="/docs/banks">${texts.banks.allBanks}</a></p>`;
}

/** How to make the bank mail every amount, and which mail to wait for or to try. */
export function mailsStep(texts: Texts, { chosen, seen, done, ways }: Path, tryMail: Html): Html {
  const words = texts.firstSteps;
  const address =
    ways.mailbox?.address ??
    ways.extra.find(one => one.confirmed_at)?.address ??
    ways.forwarding?.state.address ??
    null;
  return html`${seen && html`<p>${words.bankSeen({ bank: seen.name })}</p>`}
${chosen && canConfirm(chosen) && support(texts, chosen)}
${chosen && canConfirm(chosen) && advice(texts, chosen, address)}
${chosen && !done.mails && html`<div class="actions">${linkButton(`?bank=${chosen.id}&mails=yes`, words.itMails)}</div>`}
${tryMail}`;
}

/** A bank that cannot be read has no set-up, because every step of it would be useless. */
function noWay(texts: Texts, bank: Bank): Html {
  const words = texts.banks;
  const support = supportOf(bank);
  const steps = support === 'cannot' ? words.whenCannot : support === 'closed' ? [] : words.whenUnknown;
  return html`${note(whyUnread(texts, bank), 'bad')}
<ul class="steps-list">${steps.map(step => html`<li>${step}</li>`)}</ul>
<p><a href="/docs/banks#how-your-bank-is-added">${words.howAdded}</a></p>`;
}

function support(texts: Texts, bank: Bank): Html {
  if (bank.reviewOnly) return note(texts.upiAccounts.reviewOnly({ bank: bank.name }));
  return supportOf(bank) === 'unconfirmed'
    ? note(texts.banks.unconfirmed({ bank: bank.name }))
    : note(texts.firstSteps.bankRead({ bank: bank.name }), 'good');
}

function advice(texts: Texts, bank: Bank, address: string | null): Html {
  const words = texts.firstSteps;
  const mailsTo = address === null ? words.bankMailsAnywhere : words.bankMailsTo({ address });
  return html`<p>${words.mailsText}</p><ol class="steps-list">${[...words.bankSteps, mailsTo].map(step => html`<li>${step}</li>`)}</ol>
${bank.alertSetting !== null && html`<p>${words.callsIt({ name: bank.alertSetting })}</p>`}
<p class="quiet">${words.senders}: ${bank.senders.join(', ')}</p>`;
}
