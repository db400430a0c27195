import { alertAddresses } from '../../alerts/addresses/queries/addresses.ts';
import { bankNames, canConfirm, printsFewDigits, whyUnread } from '../../alerts/banks/bank-support.ts';
import { type TriedMail, tryMail } from '../../alerts/judging/try-mail.ts';
import { mostMailBytes } from '../../alerts/mail/limits.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { ApiError } from '../../base/http/api-error.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { whyRefused } from '../../orders/create-order.ts';
import { sayReason } from '../../texts/say.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { card, note, pageHead, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, page, post, redirect, type Visit } from '../frame/route.ts';
import { bankStep, mailsStep } from './bank-step.ts';
import { createProofOrder } from './create-proof-order.ts';
import { checkList, proofStep } from './proof-step.ts';
import { selectProofAlerts, selectProofOrder } from './queries.ts';
import { type Path, type PathStep, pathSteps, readPath, stateOf } from './read-path.ts';
import { type Tried, tryMailForm, tryMailPath } from './try-mail-form.ts';
import { secretAddress, waysStep } from './ways-step.ts';

const home = '/dashboard/first-steps';

export const firstStepsRoutes = [
  get(home, 'business.read', showSteps),
  get(`${home}/checks`, 'business.read', showChecks),
  post(`${home}/proof`, 'business.change', startProof),
  post(tryMailPath, { permission: 'business.change', upload: mostMailBytes }, async (world, visit) =>
    showSteps(world, visit, { tried: await takeMail(world, visit) }),
  ),
  // The page for the phone that paid, which is not signed in.
  get(`${home}/thanks`, 'anyone', async (_world, { texts }) => {
    const words = texts.firstSteps;
    return screen(words.thanks)`${card(html`<p>${words.thanksText}</p>`)}`;
  }),
];

/** Next to the steps: a proof that did not start, a mail that was tried, or on Home what else is to do. */
type Said = { fault?: string; tried?: Tried; below?: Html | false };

export async function showSteps(
  world: World,
  visit: Visit,
  { fault, tried = null, below = false }: Said = {},
): Promise<Answer> {
  const { texts, query } = visit;
  const words = texts.firstSteps;
  const path = await readPath(world, visit);
  const { accounts, ways, proof, paid, alerts, chosen, done, current } = path;
  const fewDigits = chosen && canConfirm(chosen) && printsFewDigits(chosen) ? chosen : null;
  const opened: Partial<Record<PathStep, unknown>> = {
    bank: query.has('bank') && !done.bank,
    ways: (fewDigits && current === 'proof' && !proof) || query.has('writes_to'),
    // A mailbox connected a moment ago has not been read yet, and nobody waits for that here.
    proof: fault ?? proof ?? (ways.mailbox && done.account && !paid.any),
  };
  const tryForm = tryMailForm(visit, tried, {
    mailbox: ways.mailbox?.address ?? ways.forwarding?.state.address ?? null,
    accounts,
  });
  const bodies: Record<PathStep, Html> = {
    bank: bankStep(texts, path),
    mails: mailsStep(texts, path, tryForm),
    account: accountStep(world, visit, path),
    ways: html`${waysStep(world, visit, ways)}${fewDigits && secretAddress(visit, fewDigits, ways)}`,
    proof: proofStep(visit, {
      proof,
      alerts,
      ready: path.main !== undefined && (ways.mailbox !== null || ways.forwarding !== null),
      fault,
      baseUrl: world.baseUrl,
      bankName: bankNames(world),
    }),
    payment: paymentStep(visit),
  };
  const count = pathSteps.filter(step => done[step]).length;
  const isSandbox = world.config.mode === 'sandbox';
  const body = html`${pageHead(texts.shell.navigation.home, { quietOnPhone: true })}
<div class="columns one"><div class="stack">${
    paid.any
      ? note(html`<p><strong>${words.proven}</strong></p>`, 'good')
      : html`<section class="hero"><p class="small quiet">${words.progress({ count, all: pathSteps.length })}</p><h2>${words.title}</h2><p class="small quiet">${words.text}</p>
<svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round((count / pathSteps.length) * 100)}" height="1"></rect></svg></section>`
  }
<ol class="path">
${pathSteps.map((step, at) => {
  const isOpen = tried ? step === 'mails' : step === current || Boolean(opened[step]);
  const kind = done[step] ? 'done' : step === current ? 'now' : 'later';
  return html`<li><details class="step ${kind}" id="${step}-step"${isOpen && html` open`}><summary><span class="number">${done[step] ? icon('tick', true) : at + 1}</span><h2>${words.steps[step]}</h2>${stateOf(texts, path, step)}</summary><div class="stack">${bodies[step]}</div></details></li>`;
})}
</ol></div>
<aside class="stack">${below}${isSandbox && visit.may('payments.take') && html`<section class="card filled"><div><h2>${words.look}</h2><p class="small quiet">${words.lookText}</p></div>${plainLink('/dashboard/counter', words.lookAt)}</section>`}</aside></div>`;
  const isRefused = fault !== undefined || (tried && 'fault' in tried);
  return page({ title: texts.shell.navigation.firstSteps, body, ...(isRefused && { status: 400 }) });
}

async function showChecks(world: World, visit: Visit): Promise<Answer> {
  const proof = await selectProofOrder(world.sql, visit.merchantId, visit.now);
  if (!proof) return { kind: 'fragment', body: html`` };
  const alerts = await selectProofAlerts(world.sql, visit.merchantId, proof.created_at, proof.alert_id);
  return { kind: 'fragment', body: checkList(visit, proof, alerts, bankNames(world)) };
}

async function startProof(world: World, visit: Visit): Promise<Answer> {
  const create = (tx: Transaction) => createProofOrder(tx, world, visit.merchantId);
  try {
    await makeChange(world, visit, create, subject => ({ action: 'order.proof', subject }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return await showSteps(world, visit, { fault: sayReason(visit.texts.tag, whyRefused(error)) });
  }
  return redirect(`${home}#proof-step`);
}

async function takeMail(
  world: World,
  { form, merchantId, texts }: Visit,
): Promise<TriedMail | { fault: string }> {
  const words = texts.tryMail;
  const raw = form.file('mail');
  if (raw === null) return { fault: words.noFile };
  if (raw.length > mostMailBytes) return { fault: words.tooLarge };
  if (!(await mayGuess(world, [{ kind: 'trying', whom: String(merchantId) }])))
    return { fault: words.tooMany };
  const addresses = await alertAddresses(world.sql, merchantId);
  return (await tryMail(world, raw, addresses)) ?? { fault: words.busy };
}

const here = '/dashboard/first-steps';

function accountStep(world: World, { texts, may }: Visit, { main, chosen, lacksDigits, unread }: Path): Html {
  const words = texts.firstSteps;
  const toForm = `/dashboard/upi-accounts/add?${new URLSearchParams({ next: here, bank: chosen?.id ?? '' })}`;
  if (!main)
    return html`<p>${words.accountTodo}</p>${may('upi.change') && html`<div class="actions">${linkButton(toForm, texts.labels.addUpiAccount)}</div>`}`;
  const { bank: id, account_digits: digits } = main;
  const bank = id === null ? '' : bankNames(world)(id);
  return html`<p>${words.accountDone(main)}</p>
${id !== null && html`<p>${digits === null ? words.accountAt({ bank }) : words.accountAtDigits({ bank, digits })}</p>`}
${unread && note(whyUnread(texts, unread), 'bad')}
${(main.bank === null || lacksDigits) && note(html`<p>${main.bank === null ? words.noBank : words.noDigits}</p>${may('upi.change') && html`<p class="note-link">${plainLink(`/dashboard/upi-accounts/${main.account_id}/bank?next=${here}`, words.nameBank)}</p>`}`)}`;
}

/** The person makes an order on a phone, or a website does. */
function paymentStep({ texts, may }: Visit): Html {
  const { navigation } = texts.shell;
  return html`<p>${texts.firstSteps.paymentText}</p>
<div class="actions">${may('payments.take') && linkButton('/dashboard/counter', navigation.counter)}${may('links.change') && plainLink('/dashboard/links', navigation.links)}${plainLink('/dashboard/integrations', texts.shop.pages.integrations)}</div>`;
}
