import { extraAddresses } from '../../alerts/addresses/add-alert-address.ts';
import { alertAddresses } from '../../alerts/addresses/alert-addresses.ts';
import { bankNames, openBanks } from '../../alerts/banks/bank-names.ts';
import { canConfirm } from '../../alerts/banks/bank-support.ts';
import { printedDigits } from '../../alerts/banks/printed-digits.ts';
import { whyUnread } from '../../alerts/banks/why-unread.ts';
import { type TriedMail, tryMail } from '../../alerts/judging/try-mail.ts';
import { mostMailBytes } from '../../alerts/mail/limits.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { holdsNearMisses } from '../../payments/matching/queries/payments.ts';
import type { Texts } from '../../texts/languages.ts';
import { sayReason } from '../../texts/say.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { badge, card, note, pageHead, screen } from '../frame/parts.ts';
import { recordChange } from '../frame/record-change.ts';
import { type Answer, get, page, post, redirect, type Visit } from '../frame/route.ts';
import { readForwarding } from '../mailbox/forwarding-card.ts';
import { holdOffer } from '../money/hold-near-misses.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { bankStep } from './bank-step.ts';
import { createProofOrder } from './create-proof-order.ts';
import { checkList, proofStep } from './proof-step.ts';
import { hasPaidOrder, selectProofAlerts, selectProofOrder } from './queries.ts';
import { type Tried, tryMailForm, tryMailPath } from './try-mail-form.ts';
import { alertsReachUs, waysStep } from './ways-step.ts';

const home = '/dashboard/first-steps';

export const firstStepsRoutes = [
  get(home, 'business.read', showSteps),
  get(`${home}/checks`, 'business.read', showChecks),
  post(`${home}/proof`, 'business.change', startProof),
  post(tryMailPath, { permission: 'business.change', upload: mostMailBytes }, async (world, visit) =>
    showSteps(world, visit, { tried: await takeMail(world, visit) }),
  ),
  // Where the phone of whoever paid ends up: it is not signed in.
  get(`${home}/thanks`, 'anyone', async (_world, { texts }) => {
    const words = texts.firstSteps;
    return screen(words.thanks)`${card(html`<p>${words.thanksText}</p>`)}`;
  }),
];

/** What the page says beside the steps themselves: a proof that did not start, a mail that was tried. */
type Said = { fault?: string; tried?: Tried };

async function showSteps(world: World, visit: Visit, { fault, tried = null }: Said = {}): Promise<Answer> {
  const { texts, merchantId, now, query } = visit;
  const words = texts.firstSteps;
  const [accounts, mailbox, forwarding, extra, proof, hasPaid, holds] = await Promise.all([
    selectAccounts(world.sql, merchantId),
    mailboxState(world.sql, merchantId, now),
    readForwarding(world, visit),
    extraAddresses(world, merchantId),
    selectProofOrder(world.sql, merchantId, now),
    hasPaidOrder(world.sql, merchantId),
    holdsNearMisses(world.sql, merchantId),
  ]);
  const since = proof?.created_at ?? now;
  const alerts = await selectProofAlerts(world.sql, merchantId, since, proof?.alert_id ?? null);
  const banks = openBanks(world);
  const bankName = bankNames(world);
  const main = accounts.find(account => account.is_default);
  const seen =
    banks.find(bank => bank.id === alerts.find(alert => alert.signing_domain !== null)?.bank) ?? null;
  const own = banks.find(bank => bank.id === main?.bank) ?? null;
  const chosen = banks.find(bank => bank.id === query.text('bank')) ?? own ?? seen;
  const lacksDigits = main?.account_digits === null && own !== null && printedDigits(own) > 0;
  const unread = own !== null && !canConfirm(own) ? own : null;
  const ways = { mailbox, forwarding, extra };
  // Where the bank is to write to.
  const address =
    mailbox?.address ?? extra.find(one => one.confirmedAt)?.address ?? forwarding?.state.address ?? null;
  const body = html`${pageHead(texts.shell.navigation.firstSteps, { text: words.text })}
${hasPaid && note(html`<p><strong>${words.proven}</strong></p>`, 'good')}
<ol class="steps">
${step(texts, 1, texts.labels.yourBusiness, true, html`<p>${words.nameText(visit.business.name)}</p><p><a href="/dashboard/settings">${words.changeName}</a></p>`)}
${step(
  texts,
  2,
  words.account,
  main !== undefined && main.bank !== null && !lacksDigits && !unread,
  main
    ? html`<p>${words.accountDone(main.vpa)}</p>
${main.bank !== null && html`<p>${words.accountAt(bankName(main.bank), main.account_digits)}</p>`}
${unread && note(whyUnread(texts, unread), 'bad')}
${(main.bank === null || lacksDigits) && note(html`<p>${main.bank === null ? words.noBank : words.noDigits}</p>${visit.may('upi.change') && html`<p class="note-link">${plainLink(`/dashboard/upi-accounts/${main.account_id}/bank?next=${home}`, words.nameBank)}</p>`}`)}`
    : html`<p>${words.accountTodo}</p>${visit.may('upi.change') && html`<div class="actions">${linkButton(`/dashboard/upi-accounts?next=${home}#add`, texts.labels.addUpiAccount)}</div>`}`,
)}
${step(texts, 3, words.mailbox, alertsReachUs(ways), waysStep(world, visit, ways), 'ways')}
${step(texts, 4, words.bank, seen !== null || hasPaid, bankStep(visit, { banks, chosen, address, mailbox: mailbox?.address ?? null, forwardTo: forwarding?.state.address ?? null, extra, seen: seen?.name ?? null, tryMail: tryMailForm(visit, tried, { mailbox: address, accounts }) }), 'bank-step')}
${step(
  texts,
  5,
  words.proof,
  hasPaid,
  proofStep(visit, {
    proof,
    alerts,
    ready: main !== undefined && (mailbox !== null || forwarding !== null),
    fault,
    baseUrl: world.baseUrl,
    bankName,
  }),
  'proof',
)}
</ol>
${hasPaid && !holds && holdOffer(visit, home)}`;
  const isRefused = fault !== undefined || (tried && 'fault' in tried);
  return page({ title: texts.shell.navigation.firstSteps, body, ...(isRefused && { status: 400 }) });
}

function step(texts: Texts, number: number, title: string, done: boolean, body: Html, id?: string): Html {
  const words = texts.firstSteps;
  return html`<li>${card(body, {
    title: `${number}. ${title}`,
    actions: done ? badge(words.done, 'good') : badge(words.open, 'warn'),
    ...(id !== undefined && { id }),
  })}</li>`;
}

async function showChecks(world: World, visit: Visit): Promise<Answer> {
  const proof = await selectProofOrder(world.sql, visit.merchantId, visit.now);
  if (!proof) return { kind: 'fragment', body: html`` };
  const alerts = await selectProofAlerts(world.sql, visit.merchantId, proof.created_at, proof.alert_id);
  return { kind: 'fragment', body: checkList(visit, proof, alerts, bankNames(world)) };
}

async function startProof(world: World, visit: Visit): Promise<Answer> {
  const record = (tx: Transaction, orderId: string) =>
    recordChange(tx, visit, { action: 'order.proof', subject: orderId });
  const started = await createProofOrder(world, visit.merchantId, visit.form.text('webhook_url'), record);
  if (!started.ok)
    return await showSteps(world, visit, { fault: sayReason(visit.texts.tag, started.reason) });
  return redirect(`${home}#proof`);
}

/** The uploaded mail and what would become of it, or what is wrong with the upload. */
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
