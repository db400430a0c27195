import type { ExtraAddress } from '../../alerts/addresses/add-alert-address.ts';
import type { Bank } from '../../alerts/banks/bank.ts';
import { canConfirm, payingTemplates, supportOf } from '../../alerts/banks/bank-support.ts';
import { printsFewDigits } from '../../alerts/banks/printed-digits.ts';
import { whyUnread } from '../../alerts/banks/why-unread.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { Texts } from '../../texts/languages.ts';
import { note } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { bankPicker } from '../upi-accounts/bank-fields.ts';
import { exampleSubject } from './example-subject.ts';
import { secretAddress } from './secret-address.ts';

const shownSubjects = 3;

type BankStep = {
  /** By name. */
  banks: readonly Bank[];
  chosen: Bank | null;
  /** Where the bank is to write to, and that of the mailbox. */
  address: string | null;
  mailbox: string | null;
  forwardTo: string | null;
  extra: readonly ExtraAddress[];
  seen: string | null;
  /** The form for a mail of one's own, and what became of it. */
  tryMail: Html;
};

/** How to make the bank write for every amount, and which mail to wait for. */
export function bankStep(
  visit: Visit,
  { banks, chosen, address, mailbox, forwardTo, extra, seen, tryMail }: BankStep,
): Html {
  const { texts } = visit;
  const words = texts.firstSteps;
  return html`${seen !== null && html`<p>${words.bankSeen(seen)}</p>`}
<p>${words.bankText}</p>
<form method="get" action="/dashboard/first-steps#bank-step" class="stack">
${bankPicker(texts, banks, { label: texts.labels.bank, value: chosen?.id ?? '' })}
<div class="actions"><button class="button plain">${words.choose}</button></div>
</form>
${chosen && (canConfirm(chosen) ? advice(texts, chosen, address) : noWay(texts, chosen))}
${chosen && canConfirm(chosen) && printsFewDigits(chosen) && secretAddress(visit, { bank: chosen, mailbox, forwardTo, extra })}
<p class="quiet">${words.notListed} <a href="/docs/banks">${texts.banks.allBanks}</a></p>
${tryMail}`;
}

/** A bank that cannot be read has no set-up: every step of it would be in vain. */
function noWay(texts: Texts, bank: Bank): Html {
  const words = texts.banks;
  const support = supportOf(bank);
  const steps = support === 'cannot' ? words.whenCannot : support === 'closed' ? [] : words.whenUnknown;
  return html`${note(whyUnread(texts, bank), 'bad')}
<ul class="steps-list">${steps.map(step => html`<li>${step}</li>`)}</ul>
<p><a href="/docs/banks#how-your-bank-is-added">${words.howAdded}</a></p>`;
}

function advice(texts: Texts, bank: Bank, address: string | null): Html {
  const words = texts.firstSteps;
  const written = payingTemplates(bank).flatMap(template => template.written.subjects);
  const subjects = [...new Set(written.map(exampleSubject))]
    .filter(subject => subject !== null)
    .slice(0, shownSubjects);
  return html`${bank.reviewOnly ? note(texts.upiAccounts.reviewOnly(bank.name)) : supportOf(bank) === 'unconfirmed' && note(texts.banks.unconfirmed(bank.name))}
<ol class="steps-list">${words.bankSteps(address).map(step => html`<li>${step}</li>`)}</ol>
${bank.alertSetting !== null && html`<p>${words.callsIt(bank.alertSetting)}</p>`}
<p class="quiet">${words.senders}: ${bank.senders.join(', ')}</p>
${subjects.length > 0 && html`<p class="quiet">${words.subjects}: ${subjects.map((one, at) => html`${at > 0 && ', '}<bdi lang="en">“${one}”</bdi>`)}</p>`}`;
}
