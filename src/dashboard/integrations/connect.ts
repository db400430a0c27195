import type { Form } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mostKeys } from '../../business/merchants/create-api-key.ts';
import { lockMerchant } from '../../business/merchants/queries.ts';
import { agreeToConnect } from '../../developers/connect/agree-to-connect.ts';
import {
  type ConnectRequest,
  connectParameters,
  readConnectRequest,
  returnToShop,
} from '../../developers/connect/connect-request.ts';
import { consentPath } from '../../developers/connect/routes.ts';
import { button, hidden, linkButton, radioField } from '../frame/controls.ts';
import { facts, note, pageHead, screen } from '../frame/parts.ts';
import { type Answer, get, page, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { stillAllowed } from '../frame/still-allowed.ts';
import { type AccountRow, selectAccounts } from '../upi-accounts/queries.ts';
import { countWorkingKeys } from './queries.ts';

const consent = reauth('keys.change');

export const connectScreenRoutes = [
  get(consentPath, consent, (world, visit) => ask(world, visit, visit.query)),
  post(consentPath, consent, answer),
];

async function ask(world: World, visit: Visit, given: Form, fault?: string): Promise<Answer> {
  const read = await readConnectRequest(world, name => given.raw(name));
  if ('problem' in read) return refuse(visit, read.problem);
  const { request } = read;
  const words = visit.texts.connect;
  const accounts = (await selectAccounts(world.sql, visit.merchantId)).filter(account => !account.paused);
  const body = html`${pageHead(words.title)}<div class="stack groups one-column">
<section><h2>${words.ask({ shop: request.shopName, business: visit.merchant.name })}</h2>${shopFacts(visit, request)}${note(words.hostHint)}</section>
<section><h2>${words.getsTitle}</h2>${list(words.gets)}</section>
<section><h2>${words.getsNotTitle}</h2>${list(words.getsNot)}</section>
${accounts.length === 0 ? addAccountFirst(visit, given) : consentForm(visit, given, accounts, fault)}</div>`;
  // Browsers apply form-action to the redirect behind the form too.
  const formTo = new URL(request.returnUrl).origin;
  return page({ title: words.title, body, formTo, ...(fault !== undefined && { status: 400 }) });
}

async function answer(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, user, address, now, texts } = visit;
  const read = await readConnectRequest(world, name => form.raw(name));
  if ('problem' in read) return refuse(visit, read.problem);
  const { request } = read;
  if (form.text('answer') !== 'agree')
    return redirect(returnToShop(world, request, { error: 'access_denied' }));
  const accounts = await selectAccounts(world.sql, merchantId);
  const accountId = form.text('payment_account_id');
  if (!accounts.some(account => account.account_id === accountId && !account.paused))
    return await ask(world, visit, form, texts.connect.accountFault);
  const code = await world.sql.begin(async tx => {
    await stillAllowed(tx, visit, 'keys.change');
    await lockMerchant(tx, merchantId);
    if ((await countWorkingKeys(tx, merchantId)) >= mostKeys) return null;
    const agreement = { merchantId, userId: user.userId, actor: user.email, address, accountId, now };
    return await agreeToConnect(tx, request, agreement);
  });
  if (code === null) return await ask(world, visit, form, texts.integrations.tooMany({ most: mostKeys }));
  return redirect(returnToShop(world, request, { code }));
}

/** Shown here and never redirected: an address that was not understood must not get the browser. */
function refuse({ texts }: Visit, parameter: string): Answer {
  const words = texts.connect;
  return screen(words.badTitle, { status: 400 })`
<p>${words.bad({ parameter })}</p><p><a href="/docs/connect">${words.badDocs}</a></p>`;
}

function shopFacts({ texts, merchant }: Visit, { shopName, returnUrl, webhookUrl }: ConnectRequest): Html {
  const words = texts.connect;
  return facts([
    [words.host, html`<strong><bdi>${new URL(returnUrl).host}</bdi></strong>`],
    [words.name, html`<bdi>${shopName}</bdi>`],
    [texts.labels.yourBusiness, html`<bdi>${merchant.name}</bdi>`],
    [words.webhooks, html`<bdi>${webhookUrl}</bdi>`],
  ]);
}

function list(sentences: readonly string[]): Html {
  return html`<ul class="consequences">${sentences.map(sentence => html`<li>${sentence}</li>`)}</ul>`;
}

function addAccountFirst({ texts }: Visit, given: Form): Html {
  const here = new URLSearchParams(
    connectParameters.map((name): [string, string] => [name, given.raw(name)]),
  );
  const href = `/dashboard/upi-accounts/add?next=${encodeURIComponent(`${consentPath}?${here}`)}`;
  return html`<p>${texts.connect.noAccount}</p><div class="actions">${linkButton(href, texts.labels.addUpiAccount)}</div>`;
}

function consentForm(
  { texts }: Visit,
  given: Form,
  accounts: readonly AccountRow[],
  fault: string | undefined,
): Html {
  const words = texts.connect;
  const choices = accounts.map(({ account_id, vpa, payee_name, is_default }) => ({
    value: account_id,
    text: `${payee_name}, ${vpa}`,
    ...(is_default && { hint: words.isDefault }),
  }));
  const chosen = accounts.find(({ is_default }) => is_default) ?? accounts[0];
  const asked = Object.fromEntries(connectParameters.map(name => [name, given.raw(name)]));
  return html`<form method="post" action="${consentPath}" class="stack">${hidden(asked)}
${radioField('payment_account_id', words.account, { value: chosen?.account_id ?? '', choices, error: fault })}
<div class="actions">${button(words.agree, { answer: 'agree' })}${button(words.decline, { answer: 'decline', plain: true })}</div>
</form>`;
}
