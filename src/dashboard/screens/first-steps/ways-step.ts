import { type Html, html } from '../../../http/html.ts';
import type { ExtraAddress } from '../../../mailboxes/add-alert-address.ts';
import type { MailboxState } from '../../../mailboxes/mailbox-state.ts';
import { sayReason } from '../../../texts/say.ts';
import type { World } from '../../../world.ts';
import { linkButton } from '../../components/controls.ts';
import { note } from '../../components/parts.ts';
import type { Visit } from '../../route.ts';
import { addForm, codeForm } from '../mailbox/extra-addresses.ts';
import { forwardingDetails, openForm, type ShownForwarding } from '../mailbox/forwarding-card.ts';
import { mailboxInWords } from '../mailbox/state-card.ts';
import { whenFresh } from '../when-fresh.ts';

const here = '/dashboard/first-steps#ways';

export type Ways = {
  mailbox: MailboxState | null;
  forwarding: ShownForwarding | null;
  extra: readonly ExtraAddress[];
};

/** Whether alerts reach us by either of them. */
export function alertsReachUs({ mailbox, forwarding }: Ways): boolean {
  const isForwarded = forwarding !== null && forwarding.state.worksSince !== null && !forwarding.state.blind;
  return isForwarded || (mailbox !== null && !mailbox.blind);
}

/** The two ways of an alert to us, side by side. */
export function waysStep(world: World, visit: Visit, ways: Ways): Html {
  const words = visit.texts.forwarding;
  return html`<p class="quiet">${words.both}</p>
<div class="grid ways"><div class="stack"><h3>${words.title}</h3>${forwardWay(world, visit, ways)}</div>
<div class="stack"><h3>${words.other}</h3>${mailboxWay(visit, ways.mailbox)}</div></div>`;
}

function forwardWay(world: World, visit: Visit, { forwarding, extra, mailbox }: Ways): Html {
  const words = visit.texts.forwarding;
  if (!forwarding) return html`<p>${words.lead}</p>${openForm(world, visit, here)}`;
  const isProven = extra.some(one => one.confirmedAt !== null);
  const isWaiting = extra.some(one => one.confirmedAt === null);
  const forms = () => html`${isWaiting && codeForm(visit, here)}${addForm(visit, undefined, here)}`;
  return html`${forwardingDetails(visit, forwarding)}
${
  !isProven &&
  mailbox === null &&
  html`<h4>${words.prove}</h4><p>${words.proveText}</p>${visit.may('mailbox.change') && whenFresh(visit, forms)}`
}
<p><a href="/dashboard/mailbox#forwarding">${visit.texts.firstSteps.see}</a></p>`;
}

function mailboxWay(visit: Visit, mailbox: MailboxState | null): Html {
  const { texts } = visit;
  const words = texts.firstSteps;
  if (!mailbox)
    return html`<p>${texts.forwarding.otherLead}</p><p>${words.mailboxTodo}</p>${visit.may('mailbox.change') && html`<div class="actions">${linkButton('/dashboard/mailbox?next=/dashboard/first-steps#connect', words.connect)}</div>`}`;
  return html`<p>${mailbox.blind ? mailboxInWords(texts, mailbox).text : words.mailboxDone(mailbox.address)}</p>${mailbox.lastError !== null && note(sayReason(texts.tag, mailbox.lastError), 'bad')}<p><a href="/dashboard/mailbox">${words.see}</a></p>`;
}
