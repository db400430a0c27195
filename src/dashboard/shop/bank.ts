import { bankNames, canConfirm, openBanks } from '../../alerts/banks/bank-support.ts';
import { listeningState } from '../../alerts/forwarding/forwarding-state.ts';
import { selectChanged } from '../../alerts/judging/queries/ways.ts';
import { mailboxState } from '../../alerts/mailboxes/mailbox-state.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { linkButton, plainLink } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import { emptyState, moment } from '../frame/parts.ts';
import { type Answer, get, lead, type Visit } from '../frame/route.ts';
import { type ListRow, letterFace, pageRow, rowList, state } from '../frame/rows.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { forwardingInWords, readForwarding } from '../mailbox/forwarding-card.ts';
import { mailboxInWords } from '../mailbox/state-card.ts';
import { type AccountRow, selectAccounts } from '../upi-accounts/queries.ts';
import { unconfirmedCards } from '../upi-accounts/unconfirmed.ts';

const path = '/dashboard/shop/bank';

/** UPI IDs, forwarding and mailbox together: the money's way, and how its arrival is seen. */
export const bankRoutes = [get(path, 'business.read', bankPage), lead('/dashboard/upi-accounts', path)];

async function bankPage(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId } = visit;
  const words = texts.shop.bank;
  const [seen, accounts, unconfirmed] = await Promise.all([
    howSeen(world, visit),
    selectAccounts(world.sql, merchantId),
    unconfirmedCards(world, visit),
  ]);
  return shopScreen(visit, 'bank')`${unconfirmed}${seen}
<section><div class="heading"><h2>${words.upiIds}</h2>${accounts.length > 0 && visit.may('upi.change') && html`<a class="link" href="/dashboard/upi-accounts/add">${icon('plus', true)}${words.add}</a>`}</div>
${accounts.length === 0 ? emptyState(html``, texts.upiAccounts.emptyText, visit.may('upi.change') && linkButton('/dashboard/upi-accounts/add', texts.labels.addUpiAccount), 'bank') : rowList(accounts.flatMap(account => accountRows(world, visit, account)))}</section>`;
}

/** The UPI ID, and below it the bank account, which has a form of its own. */
function accountRows(world: World, { texts, may }: Visit, account: AccountRow): ListRow[] {
  const words = texts.upiAccounts;
  const { bank: named, account_digits: digits, account_id: id } = account;
  const bank = openBanks(world).find(one => one.id === named);
  const kind = account.kind === 'merchant' ? words.merchant : words.personal;
  const asks =
    named === null ? texts.shop.bank.noBank : bank && !canConfirm(bank) && texts.banks.groups.cannot;
  return [
    {
      href: `/dashboard/upi-accounts/${id}`,
      face: letterFace(account.payee_name),
      who: html`<bdi>${account.vpa}</bdi>`,
      what: account.is_default ? `${words.isDefault} · ${kind}` : kind,
      ...(account.paused && { state: state(texts.counter.states.paused, 'warn') }),
    },
    {
      ...(may('upi.change') && { href: `/dashboard/upi-accounts/${id}/bank` }),
      face: { icon: 'bank', tone: 'still' },
      who: named === null ? texts.labels.bank : bankNames(world)(named),
      what: digits !== null && texts.shop.bank.account({ digits }),
      ...(asks && { state: state(asks, 'warn') }),
    },
  ];
}

async function howSeen(world: World, visit: Visit): Promise<Html> {
  const { texts, merchantId, now, may } = visit;
  const { bank: words } = texts.shop;
  const [{ isListening, lastMail }, mailbox, forwarding] = await Promise.all([
    listeningState(world.sql, merchantId, now),
    mailboxState(world.sql, merchantId, now),
    readForwarding(world, visit),
  ]);
  const changed = mailbox && (await selectChanged(world.sql, merchantId, 'mailbox', mailbox.lastAlert));
  const way = (inWords: { name: string; tone: Parameters<typeof state>[1] } | null) =>
    inWords ? state(inWords.name, inWords.tone) : state(words.off, 'quiet', { open: true });
  const address = forwarding ? html`<bdi>${forwarding.state.address}</bdi>` : words.forwardingText;
  const box = mailbox ? html`<bdi>${mailbox.address}</bdi>` : words.mailboxText;
  const rows = rowList([
    {
      ...pageRow('/dashboard/mailbox#forwarding', 'mail', words.forwarding, address),
      state: way(forwarding && forwardingInWords(texts, forwarding.state, forwarding.changed !== null)),
    },
    {
      ...pageRow('/dashboard/mailbox#connect', 'lock', words.mailbox, box),
      state: way(mailbox && mailboxInWords(texts, mailbox, changed)),
    },
  ]);
  const isSet = mailbox !== null || forwarding !== null;
  const buttons =
    isSet && may('business.change')
      ? html`${linkButton('/dashboard/first-steps#proof-step', words.test)}${plainLink('/dashboard/mailbox', words.change)}`
      : may('mailbox.change') && linkButton('/dashboard/mailbox', words.setUp);
  const { listening, notListening, lastBankEmail, noBankEmail } = texts.shell;
  const step = (name: 'phone' | 'mail' | 'tick', text: string) =>
    html`<li><span class="face${name !== 'tick' && ' still'}">${icon(name)}</span>${text}</li>`;
  return html`<section class="card"><div class="card-head"><h2>${words.how}</h2>${isListening ? state(listening, 'good') : state(notListening, 'bad')}</div>
<ol class="way">${step('phone', words.pays)}${step('mail', words.mails)}${step('tick', words.notifies)}</ol>
<p class="small quiet middle">${lastMail === null ? noBankEmail : html`${lastBankEmail} ${moment(lastMail)}`}</p>
${rows}${buttons && html`<div class="actions two">${buttons}</div>`}</section>`;
}
