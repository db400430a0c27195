import { type Html, html } from '../../base/http/html.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import type { Visit } from '../frame/route.ts';

/** By hand with a phone, or from a website. */
export function paymentStep({ texts, may }: Visit): Html {
  const { navigation } = texts.shell;
  return html`<p>${texts.firstSteps.paymentText}</p>
<div class="actions">${may('payments.take') && linkButton('/dashboard/pay', navigation.newPayment)}${may('payments.take') && plainLink('/dashboard/counter', navigation.counter)}${may('links.change') && plainLink('/dashboard/links', navigation.links)}${plainLink('/dashboard/integrations', navigation.integrations)}</div>`;
}
