import type { ExtraAddressRow } from '../../alerts/addresses/queries/addresses.ts';
import type { Bank } from '../../alerts/banks/bank.ts';
import { printedDigits } from '../../alerts/banks/bank-support.ts';
import { serviceOf } from '../../alerts/mailboxes/mail-services.ts';
import type { MailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { type Html, html } from '../../base/http/html.ts';
import { longestMailAddress, parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { sayReason } from '../../texts/say.ts';
import { button, field, hidden, linkButton, postForm, whenFresh } from '../frame/controls.ts';
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
  html`<h4>${words.prove}</h4><p>${words.proveText}</p>${visit.may('mailbox.change') && whenFresh(visit, forms)}`
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

const randomPart = 10;

/**
 * For a bank whose digits hardly distinguish accounts: anybody may open an account there and give the shop's address.
 * So the address must be secret. This offers one and proves it with a code; the owner then gives it to the bank.
 */
export function secretAddress(visit: Visit, bank: Bank, ways: Ways): Html {
  const words = visit.texts.firstSteps;
  const next = `/dashboard/first-steps?bank=${bank.id}#ways-step`;
  const { extra } = ways;
  const mailbox = ways.mailbox?.address ?? null;
  // The forwarding address is just as secret.
  const forwardTo = ways.forwarding?.state.address ?? null;
  const known = mailbox === null ? undefined : extra.find(one => isTagged(one.address, mailbox));
  const offer = () => {
    const address = taggedAddress(mailbox ?? '');
    return postForm(
      '/dashboard/mailbox/addresses',
      words.secretSubmit,
      html`<p>${words.secretOffer} <bdi><strong>${address}</strong></bdi></p>${hidden({ extra: address, next })}`,
    );
  };
  const step = () => {
    if (mailbox === null && forwardTo === null) return html`<p>${words.secretNeedsMailbox}</p>`;
    if (forwardTo !== null && !known) return html`<p>${words.secretForwarding({ address: forwardTo })}</p>`;
    if (known?.confirmed_at) return html`<p>${words.secretReady(known)}</p>`;
    if (!visit.may('mailbox.change')) return html``;
    if (!known) return whenFresh(visit, offer);
    return html`<p>${words.secretWaiting(known)}</p>${whenFresh(visit, () => codeForm(visit, next))}`;
  };
  return html`${note(words.fewDigits({ bank: bank.name, count: printedDigits(bank) }))}${step()}`;
}

/** At most providers `name+random@…` reaches the mailbox of `name@…`; the code sent there shows whether it does. */
function taggedAddress(mailbox: string): string {
  const at = mailbox.lastIndexOf('@');
  const name = mailbox.slice(0, at).replace(/\+.*/, '');
  return `${name}+${randomBase62(randomPart).toLowerCase()}${mailbox.slice(at)}`;
}

function isTagged(address: string, mailbox: string): boolean {
  const at = mailbox.lastIndexOf('@');
  const name = mailbox.slice(0, at).replace(/\+.*/, '');
  return address.startsWith(`${name}+`) && address.endsWith(mailbox.slice(at)) && address !== mailbox;
}
