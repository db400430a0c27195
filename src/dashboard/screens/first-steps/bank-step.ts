import type { Bank } from '../../../alerts/bank.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Texts } from '../../../texts/languages.ts';
import { selectField } from '../../components/field.ts';
import { note } from '../../components/flash.ts';
import { exampleSubject } from './example-subject.ts';

/** What banks call their alert settings, where we are sure of it. */
const ownNames: Record<string, string> = { hdfc: 'InstaAlerts' };
const shownSubjects = 3;

type BankStep = { banks: readonly Bank[]; chosen: Bank | null; address: string | null; seen: string | null };

/** How to make the bank write for every amount, and which mail to wait for. */
export function bankStep(texts: Texts, { banks, chosen, address, seen }: BankStep): Html {
  const words = texts.firstSteps;
  const sorted = [...banks].sort((a, b) => a.name.localeCompare(b.name));
  return html`${seen !== null && html`<p>${words.bankSeen(seen)}</p>`}
<p>${words.bankText}</p>
<form method="get" action="/dashboard/first-steps#bank-step" class="stack">
${selectField({ name: 'bank', label: words.chooseBank, value: chosen?.id ?? '', choices: [{ value: '', text: '–' }, ...sorted.map(bank => ({ value: bank.id, text: bank.name }))] })}
<div class="actions"><button class="button plain">${words.choose}</button></div>
</form>
${chosen && advice(texts, chosen, address)}
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
