import type { ExtraAddressRow } from '../../alerts/addresses/queries/addresses.ts';
import type { Bank } from '../../alerts/banks/bank.ts';
import { printedDigits } from '../../alerts/banks/bank-support.ts';
import { serviceOf } from '../../alerts/mailboxes/mail-services.ts';
import type { MailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { type Html, html } from '../../base/http/html.ts';
import { longestMailAddress, parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { sayReason } from '../../texts/say.ts';
import { button, field, hidden, linkButton, whenConfirmed } from '../frame/controls.ts';
import { note } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { addForm, codeForm } from '../mailbox/extra-addresses.ts';
import { forwardingDetails, openForm, type ShownForwarding } from '../mailbox/forwarding-card.ts';
import { mailboxInWords, serviceNote } from '../mailbox/state-card.ts';

const here = '/dashboard/first-steps#ways-step';

export type Ways = {
  mailbox: MailboxState | null;
  forwarding: ShownForwarding | null;
  extra: readonly ExtraAddressRow[];
};

export function alertsReachUs({ mailbox, forwarding }: Ways): boolean {
  const isForwarded = forwarding !== null && forwarding.state.worksSince !== null && !forwarding.state.blind;
  return isForwarded || (mailbox !== null && !mailbox.blind);
}

export function waysStep(world: World, visit: Visit, ways: Ways): Html {
  const words = visit.texts.forwarding;
  return html`<p class="quiet">${words.both}</p>
${ways.mailbox === null && serviceQuestion(visit)}
<div class="grid ways"><div class="stack"><h3>${words.title}</h3>${forwardWay(world, visit, ways)}</div>
<div class="stack"><h3>${visit.texts.firstSteps.connect}</h3>${mailboxWay(visit, ways.mailbox)}</div></div>`;
}

/** Which address the bank writes to, because its mail service decides which way serves. */
function serviceQuestion({ texts, query }: Visit): Html {
  const words = texts.firstSteps;
  const address = parseMailAddress(query.text('writes_to'));
  return html`<form method="get" action="/dashboard/first-steps#ways-step" class="stack">
${query.has('bank') && hidden({ bank: query.text('bank') })}
${field('writes_to', words.whichAddress, { hint: words.whichAddressHint, type: 'email', value: query.text('writes_to'), maxlength: longestMailAddress })}
<div class="actions">${button(words.whichWay)}</div>
</form>
${address !== null && serviceNote(texts, serviceOf(address))}`;
}

function forwardWay(world: World, visit: Visit, { forwarding, extra, mailbox }: Ways): Html {
  const words = visit.texts.forwarding;
  if (!forwarding) return html`<p>${words.lead}</p>${openForm(world, visit, here)}`;
  const isProven = extra.some(one => one.confirmed_at !== null);
  const isWaiting = extra.some(one => one.confirmed_at === null);
  const forms = () => html`${isWaiting && codeForm(visit, here)}${addForm(visit, undefined, here)}`;
  return html`${forwardingDetails(visit, forwarding)}
${
  !isProven &&
  mailbox === null &&
  html`<h4>${words.prove}</h4><p>${words.proveText}</p>${visit.may('mailbox.change') && whenConfirmed(visit, forms)}`
}
<p><a href="/dashboard/mailbox#forwarding">${visit.texts.labels.seeMailbox}</a></p>`;
}

function mailboxWay(visit: Visit, mailbox: MailboxState | null): Html {
  const { texts } = visit;
  const words = texts.firstSteps;
  if (!mailbox)
    return html`<p>${texts.forwarding.otherLead}</p><p>${words.mailboxTodo}</p>${visit.may('mailbox.change') && html`<div class="actions">${linkButton('/dashboard/mailbox?next=/dashboard/first-steps#connect', words.connect)}</div>`}`;
  return html`<p>${mailbox.blind ? mailboxInWords(texts, mailbox).text : words.mailboxDone(mailbox)}</p>${mailbox.lastError !== null && note(sayReason(texts.tag, mailbox.lastError), 'bad')}<p><a href="/dashboard/mailbox">${texts.labels.seeMailbox}</a></p>`;
}

/**
 * For a bank whose digits hardly distinguish accounts: anybody may open an account there and give the shop's address.
 * So the bank must write to an address that nobody knows.
 */
export function secretAddress({ texts }: Visit, bank: Bank, { forwarding }: Ways): Html {
  const words = texts.firstSteps;
  const address = forwarding?.state.address;
  return html`${note(words.fewDigits({ bank: bank.name, count: printedDigits(bank) }))}
<p>${address !== undefined ? words.secretForwarding({ address }) : html`${words.secretNone} <a href="/dashboard/mailbox">${texts.labels.seeMailbox}</a>`}</p>`;
}
