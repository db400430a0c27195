import type { Bank } from '../../../alerts/bank.ts';
import { printsFewDigits } from '../../../alerts/printed-digits.ts';
import { type Html, html } from '../../../http/html.ts';
import type { ExtraAddress } from '../../../mailboxes/add-alert-address.ts';
import type { Texts } from '../../../texts/languages.ts';
import { note } from '../../components/flash.ts';
import type { Visit } from '../../route.ts';
import { bankPicker } from '../upi-accounts/bank-fields.ts';
import { exampleSubject } from './example-subject.ts';
import { secretAddress } from './secret-address.ts';

/** What banks call their alert settings, where we are sure of it. */
const ownNames: Record<string, string> = { hdfc: 'InstaAlerts' };
const shownSubjects = 3;

type BankStep = {
  /** By name. */
  banks: readonly Bank[];
  chosen: Bank | null;
  /** Of the mailbox. */
  address: string | null;
  extra: readonly ExtraAddress[];
  seen: string | null;
};

/** How to make the bank write for every amount, and which mail to wait for. */
export function bankStep(visit: Visit, { banks, chosen, address, extra, seen }: BankStep): Html {
  const { texts } = visit;
  const words = texts.firstSteps;
  return html`${seen !== null && html`<p>${words.bankSeen(seen)}</p>`}
<p>${words.bankText}</p>
<form method="get" action="/dashboard/first-steps#bank-step" class="stack">
${bankPicker(banks, { label: words.chooseBank, value: chosen?.id ?? '' })}
<div class="actions"><button class="button plain">${words.choose}</button></div>
</form>
${chosen && advice(texts, chosen, address)}
${chosen && printsFewDigits(chosen) && secretAddress(visit, { bank: chosen, mailbox: address, extra })}
<p class="quiet">${words.notListed}</p>`;
}

function advice(texts: Texts, bank: Bank, address: string | null): Html {
  const words = texts.firstSteps;
  const paying = bank.templates.filter(template => template.channel !== 'other');
  const written = paying.flatMap(template => template.written.subjects);
  const subjects = [...new Set(written.map(exampleSubject))]
    .filter(subject => subject !== null)
    .slice(0, shownSubjects);
  const own = ownNames[bank.id];
  return html`${paying.length === 0 && note(words.noUpi(bank.name), 'bad')}
${paying.length > 0 && paying.every(template => template.unconfirmed) && note(words.unconfirmed(bank.name))}
<ol class="steps-list">${words.bankSteps(address ?? '…').map(step => html`<li>${step}</li>`)}</ol>
${own !== undefined && html`<p>${words.callsIt(own)}</p>`}
<p class="quiet">${words.senders}: ${bank.senders.join(', ')}</p>
${subjects.length > 0 && html`<p class="quiet">${words.subjects}: ${subjects.map((one, at) => html`${at > 0 && ', '}<bdi lang="en">“${one}”</bdi>`)}</p>`}`;
}
