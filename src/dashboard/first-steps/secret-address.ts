import type { Bank } from '../../alerts/banks/bank.ts';
import { printedDigits } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import { randomBase62 } from '../../base/random.ts';
import { hidden, postForm, whenFresh } from '../frame/controls.ts';
import { note } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import { codeForm } from '../mailbox/extra-addresses.ts';
import type { Ways } from './ways-step.ts';

const randomPart = 10;

/**
 * For a bank whose digits hardly tell one account from another: anybody may open an account there and give the shop's
 * address, so the address itself has to be a secret. Offered, proven by its code, and then to be told to the bank.
 */
export function secretAddress(visit: Visit, bank: Bank, ways: Ways): Html {
  const words = visit.texts.firstSteps;
  const next = `/dashboard/first-steps?bank=${bank.id}#ways-step`;
  const { extra } = ways;
  const mailbox = ways.mailbox?.address ?? null;
  // Nobody knows it either.
  const forwardTo = ways.forwarding?.state.address ?? null;
  const known = mailbox === null ? undefined : extra.find(one => isTagged(one.address, mailbox));
  const offer = () => {
    const address = taggedAddress(mailbox ?? '');
    return postForm({
      action: '/dashboard/mailbox/addresses',
      submit: words.secretSubmit,
      fields: html`<p>${words.secretOffer} <bdi><strong>${address}</strong></bdi></p>${hidden({ extra: address, next })}`,
    });
  };
  const step = () => {
    if (mailbox === null && forwardTo === null) return html`<p>${words.secretNeedsMailbox}</p>`;
    if (forwardTo !== null && !known) return html`<p>${words.secretForwarding(forwardTo)}</p>`;
    if (known?.confirmedAt) return html`<p>${words.secretReady(known.address)}</p>`;
    if (!visit.may('mailbox.change')) return html``;
    if (!known) return whenFresh(visit, offer);
    return html`<p>${words.secretWaiting(known.address)}</p>${whenFresh(visit, () => codeForm(visit, next))}`;
  };
  return html`${note(words.fewDigits(bank.name, printedDigits(bank)))}${step()}`;
}

/** `name+random@…` reaches the mailbox of `name@…` at most providers; the code that is sent there shows whether it does. */
function taggedAddress(mailbox: string): string {
  const at = mailbox.lastIndexOf('@');
  const name = mailbox.slice(0, at).replace(/\+.*$/, '');
  return `${name}+${randomBase62(randomPart).toLowerCase()}${mailbox.slice(at)}`;
}

function isTagged(address: string, mailbox: string): boolean {
  const at = mailbox.lastIndexOf('@');
  const name = mailbox.slice(0, at).replace(/\+.*$/, '');
  return address.startsWith(`${name}+`) && address.endsWith(mailbox.slice(at)) && address !== mailbox;
}
