import { bankNames } from '../../alerts/banks/bank-names.ts';
import { whyUnread } from '../../alerts/banks/why-unread.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { note } from '../frame/parts.ts';
import type { Visit } from '../frame/route.ts';
import type { Path } from './read-path.ts';

const here = '/dashboard/first-steps';

export function accountStep(
  world: World,
  { texts, may }: Visit,
  { main, chosen, lacksDigits, unread }: Path,
): Html {
  const words = texts.firstSteps;
  const toForm = `/dashboard/upi-accounts?${new URLSearchParams({ next: here, bank: chosen?.id ?? '' })}#add`;
  if (!main)
    return html`<p>${words.accountTodo}</p>${may('upi.change') && html`<div class="actions">${linkButton(toForm, texts.labels.addUpiAccount)}</div>`}`;
  return html`<p>${words.accountDone(main.vpa)}</p>
${main.bank !== null && html`<p>${words.accountAt(bankNames(world)(main.bank), main.account_digits)}</p>`}
${unread && note(whyUnread(texts, unread), 'bad')}
${(main.bank === null || lacksDigits) && note(html`<p>${main.bank === null ? words.noBank : words.noDigits}</p>${may('upi.change') && html`<p class="note-link">${plainLink(`/dashboard/upi-accounts/${main.account_id}/bank?next=${here}`, words.nameBank)}</p>`}`)}`;
}

/** By hand with a phone, or from a website. */
export function paymentStep({ texts, may }: Visit): Html {
  const { navigation } = texts.shell;
  return html`<p>${texts.firstSteps.paymentText}</p>
<div class="actions">${may('payments.take') && linkButton('/dashboard/pay', navigation.newPayment)}${may('payments.take') && plainLink('/dashboard/counter', navigation.counter)}${may('links.change') && plainLink('/dashboard/links', navigation.links)}${plainLink('/dashboard/integrations', navigation.integrations)}</div>`;
}
