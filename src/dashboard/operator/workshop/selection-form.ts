import type { Bank } from '../../../alerts/banks/bank.ts';
import { openBanks } from '../../../alerts/banks/bank-support.ts';
import { unknownBank } from '../../../alerts/banks/load-banks.ts';
import { type Asked, linesOf, nameBank } from '../../../alerts/workshop/draft-entry.ts';
import { type SelectionName, selectionNames } from '../../../alerts/workshop/find-selections.ts';
import type { InspectedMail } from '../../../alerts/workshop/inspect-mail.ts';
import type { Form } from '../../../base/http/form.ts';
import { type Html, html } from '../../../base/http/html.ts';
import type { World } from '../../../base/world.ts';
import { sayReason } from '../../../texts/say.ts';
import { button, field, hidden, selectField } from '../../frame/controls.ts';
import { badge, card, facts, note, titledCard } from '../../frame/parts.ts';
import type { Visit } from '../../frame/route.ts';
import type { ChosenMail } from './chosen-mail.ts';

export const workshopHome = '/dashboard/operator/workshop';

const rare: readonly SelectionName[] = ['payee_vpa', 'note', 'customer'];

/** The mail as text, never as HTML, and the fields for its values. */
export function selectionForm(
  world: World,
  { texts, form }: Pick<Visit, 'texts' | 'form'>,
  { given, mail, preview }: { given: ChosenMail; mail: InspectedMail; preview: Html | null },
): Html {
  const words = texts.workshop;
  const selectionField = (name: SelectionName) =>
    field(name, words.marks[name], {
      hint: words.hints[name],
      value: form.text(name),
      maxlength: longestValue,
      autocomplete: 'off',
      required: name === 'amount',
    });
  return html`<form method="post" action="${workshopHome}/draft" enctype="multipart/form-data" class="stack">
${hidden({ [given.hidden.name]: given.hidden.value })}
${preview}
${titledCard({ title: words.mailTitle })`${mailFacts(texts, mail)}
<div class="mail-words" data-tap="${words.tapText}">${shownLines(world, mail).map(line => html`<p>${line}</p>`)}</div>`}
${titledCard({ title: words.markTitle })`<p class="quiet">${words.markText}</p>
<div class="stack" data-marks>${selectionNames.filter(name => !rare.includes(name)).map(selectionField)}
<details${rare.some(name => form.text(name) !== '') && html` open`}><summary>${words.more}</summary><div class="stack">${rare.map(selectionField)}</div></details></div>`}
${card(bankFields(world, texts, form, mail), { title: words.bankTitle })}
<div class="actions">${button(words.draft, { plain: preview !== null })}</div>
</form>`;
}

function mailFacts(texts: Visit['texts'], mail: InspectedMail): Html {
  const words = texts.workshop;
  const signers = mail.signers.map(
    ({ domain, isValid }) =>
      html`<bdi>${domain}</bdi> ${isValid ? badge(words.signed, 'good') : badge(words.notSigned, 'bad')} `,
  );
  return html`${facts([
    [words.sender, html`<bdi>${mail.from ?? words.nobody}</bdi>`],
    [words.subject, html`<bdi>${mail.subject}</bdi>`],
    [words.signedBy, signers.length === 0 ? words.nobody : signers],
    [words.why, mail.verdict === 'credit' ? words.refusals.already_read : sayReason(texts.tag, mail.reason)],
  ])}${mail.signedBy === null && note(words.unsignedNote)}`;
}

/** More lines than this nobody reads, and the credit sentence is near the top. */
const mostLines = 80;

function shownLines(world: World, mail: InspectedMail): string[] {
  const banks = world.banks.current();
  const bank = banks.find(({ id }) => id === mail.bankId) ?? {
    ...unknownBank,
    part: mail.html === null ? 'text' : 'html',
    greetings: banks[0]?.greetings ?? [],
  };
  return linesOf(bank, mail).split('\n').slice(0, mostLines);
}

/** A listed sender's mail names its bank. For any other mail a person chooses the bank. */
function bankFields(
  world: World,
  { labels, workshop: words }: Visit['texts'],
  form: Form,
  mail: InspectedMail,
): Html {
  const banks = openBanks(world);
  const known = banks.find(({ id }) => id === mail.bankId);
  const isProven = mail.signedBy !== null;
  const origin = html`${field('sender', words.senderField, { value: form.text('sender') || (mail.from ?? ''), type: 'email', autocomplete: 'off' })}
${field('signing_domain', words.domain, { hint: words.domainHint, value: form.text('signing_domain') || (mail.signedBy ?? ''), maxlength: longestValue, autocomplete: 'off' })}`;
  if (known) return html`<p><bdi>${known.name}</bdi></p>${!isProven && origin}`;
  return html`${selectField('bank', labels.bank, {
    value: form.text('bank'),
    choices: [
      { value: '', text: words.newBank },
      ...banks.map(({ id, name }) => ({ value: id, text: name })),
    ],
  })}
${field('bank_name', words.bankName, { hint: words.bankNameHint, value: form.text('bank_name'), maxlength: longestValue, autocomplete: 'off' })}
${origin}`;
}

const longestValue = 200;

export function readAsked(form: Form, banks: readonly Bank[], mail: InspectedMail): Asked {
  const text = (name: string) => form.text(name).slice(0, longestValue);
  const chosen = banks.find(({ id }) => id === (mail.bankId ?? text('bank')));
  const name = text('bank_name');
  const [sender, signingDomain] = [text('sender'), text('signing_domain')];
  return {
    chosen: Object.fromEntries(selectionNames.map(name => [name, text(name)])),
    bank: chosen
      ? { id: chosen.id, name: '' }
      : { id: name === '' ? '' : nameBank(banks, name, sender || mail.from || ''), name },
    sender,
    signingDomain,
  };
}
