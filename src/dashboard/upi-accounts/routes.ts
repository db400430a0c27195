import { bankChoices, bankNames, canConfirm, openBanks, whyUnread } from '../../alerts/banks/bank-support.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { Form } from '../../base/http/form.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { lockBusiness, selectAccountPlaces } from '../../business/merchants/queries.ts';
import { readUpiAccount } from '../../business/merchants/read-upi-account.ts';
import {
  addUpiAccount,
  chooseDefaultAccount,
  removeUpiAccount,
} from '../../business/merchants/upi-accounts.ts';
import { qrSvg, upiAccountLink } from '../../orders/upi-link.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, copyable, plainLink, whenFresh } from '../frame/controls.ts';
import { badge, card, emptyState, facts, moment, note, rupees, screen, titledCard } from '../frame/parts.ts';
import { posterPage } from '../frame/poster-page.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, fresh, get, nextPath, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { accountForm, bankFaultText, type FormFault } from './bank-fields.ts';
import { askBank, askCeiling, askTakings, changeBank, changeCeiling, changeTakings } from './change-terms.ts';
import { type AccountRow, selectAccount, selectAccounts } from './queries.ts';
import {
  askConfirmation,
  askDismissal,
  confirmAccount,
  dismissAccount,
  unconfirmedCards,
} from './unconfirmed.ts';

const home = '/dashboard/upi-accounts';
const change = fresh('upi.change');

export const upiAccountsRoutes = [
  get(home, 'business.read', (world, visit) => accountsPage(world, visit, null)),
  post(home, change, add),
  get(`${home}/:account_id/poster`, 'business.read', showPoster),
  get(`${home}/:account_id/default`, change, askDefault),
  post(`${home}/:account_id/default`, change, makeDefault),
  get(`${home}/:account_id/bank`, change, askBank),
  post(`${home}/:account_id/bank`, change, changeBank),
  get(`${home}/:account_id/ceiling`, fresh('upi.ceiling'), askCeiling),
  post(`${home}/:account_id/ceiling`, fresh('upi.ceiling'), changeCeiling),
  get(`${home}/:account_id/takings`, fresh('upi.ceiling'), askTakings),
  post(`${home}/:account_id/takings`, fresh('upi.ceiling'), changeTakings),
  get(`${home}/:account_id/remove`, change, askRemoval),
  post(`${home}/:account_id/remove`, change, remove),
  get(`${home}/:account_id/confirm`, fresh('upi.ceiling'), askConfirmation),
  post(`${home}/:account_id/confirm`, fresh('upi.ceiling'), confirmAccount),
  get(`${home}/:account_id/dismiss`, fresh('upi.ceiling'), askDismissal),
  post(`${home}/:account_id/dismiss`, fresh('upi.ceiling'), dismissAccount),
];

async function accountsPage(world: World, visit: Visit, fault: FormFault | null): Promise<Answer> {
  const { texts } = visit;
  const words = texts.upiAccounts;
  const accounts = await selectAccounts(world.sql, visit.merchantId);
  return screen(texts.shell.navigation.upiAccounts, { text: words.text, ...(fault && { status: 400 }) })`
${await unconfirmedCards(world, visit)}${accounts.length === 0 ? card(emptyState(words.emptyTitle, words.emptyText)) : accounts.map(account => accountCard(world, visit, account, accounts.length))}
${
  visit.may('upi.change') &&
  titledCard({ title: texts.labels.addUpiAccount, id: 'add' })`
<p class="quiet">${words.addText}</p>${whenFresh(visit, () => accountForm(texts, openBanks(world), fault ? visit.form : chosenBank(visit), fault, nextPath(visit.form.has('next') ? visit.form : visit.query, home)))}`
}`;
}

/** The bank chosen in the first steps. The address may fill in no other field of the form. */
const chosenBank = ({ query }: Visit) => new Form(new Map([['bank', query.all('bank')]]));

function accountCard(world: World, visit: Visit, account: AccountRow, count: number): Html {
  const { texts } = visit;
  const words = texts.upiAccounts;
  const path = `${home}/${account.account_id}`;
  const { review_above_paise: ceiling } = account;
  const bank = openBanks(world).find(one => one.id === account.bank);
  const unread = bank && !canConfirm(bank) ? bank : undefined;
  const link = (to: string, text: string) => plainLink(`${path}/${to}`, text);
  return titledCard({
    title: account.payee_name,
    actions: html`${account.is_default && badge(words.isDefault, 'good')} ${account.paused && badge(words.paused, 'warn')}`,
  })`
${account.paused && note(words.pausedWhy({ count: account.account_limit ?? 0 }))}
${account.bank === null && note(words.noBank, 'bad')}
${unread && note(whyUnread(texts, unread), 'bad')}
${bank?.reviewOnly && note(words.reviewOnly({ bank: bank.name }))}
${facts([
  [words.vpa, html`<strong>${account.vpa}</strong>`],
  [words.accountId, copyable(texts, account.account_id, account.account_id, words.accountId)],
  [words.kind, account.kind === 'merchant' ? words.merchant : words.personal],
  [words.code, account.merchant_code],
  [texts.labels.bank, account.bank === null ? '–' : bankNames(world)(account.bank)],
  [words.digits, account.account_digits === null ? '–' : `…${account.account_digits}`],
  [words.ceiling, ceiling === null ? words.ceilingNever : words.ceilingAbove({ sum: rupees(ceiling) })],
  [words.takings, account.counts_takings ? words.takingsOn : words.takingsOff],
  [texts.labels.added, moment(account.created_at)],
])}
<div class="actions">${link('poster', texts.posters.poster)}${visit.may('upi.change') && html`${link('bank', words.changeBank)}${visit.may('upi.ceiling') && html`${link('ceiling', words.changeCeiling)}${link('takings', account.counts_takings ? words.stopTakings : words.countTakings)}`}${!account.is_default && link('default', words.makeDefault)}${(!account.is_default || count === 1) && link('remove', texts.labels.remove)}`}</div>`;
}

async function add(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts } = visit;
  const words = texts.upiAccounts;
  const banks = openBanks(world);
  const typed = {
    vpa: form.text('vpa'),
    payeeName: form.text('payee_name'),
    kind: form.text('kind'),
    merchantCode: form.text('merchant_code'),
    bank: form.text('bank'),
    accountDigits: form.text('account_digits'),
  };
  const read = readUpiAccount(typed, bankChoices(banks));
  if ('fault' in read) {
    const { fault } = read;
    const ofBank = fault === 'bank' || fault === 'account_digits';
    const said = ofBank ? bankFaultText(texts, banks, fault, form) : { fault, text: words.faults[fault] };
    return await accountsPage(world, visit, said);
  }
  const { vpa, kind, bank } = read.account;
  const added = await makeChange(world, visit, async tx => {
    await lockBusiness(tx, merchantId);
    const places = await selectAccountPlaces(tx, merchantId);
    if (places.some(place => place.vpa.toLowerCase() === vpa)) return null;
    const subject = await addUpiAccount(tx, world, merchantId, read.account);
    const notice = because('upi_added', { vpa });
    return { action: 'upi_account.add', subject, details: { vpa, kind, bank }, notice };
  });
  if (!added) return await accountsPage(world, visit, { fault: 'vpa', text: words.twice });
  return redirect(nextPath(form, home), words.addedFlash({ vpa }));
}

async function findAccount(world: World, { merchantId, params }: Visit) {
  const places = await selectAccountPlaces(world.sql, merchantId);
  return { places, account: places.find(place => place.account_id === params['account_id']) };
}

async function askDefault(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const { account } = await findAccount(world, visit);
  if (!account) return notFound();
  return confirmPage(visit, {
    title: words.defaultTitle(account),
    consequences: [words.defaultAsks(account), ...words.defaultConsequences],
    submit: words.makeDefault,
    back: home,
  });
}

async function makeDefault(world: World, visit: Visit): Promise<Answer> {
  const { account } = await findAccount(world, visit);
  if (!account) return notFound();
  const { account_id: subject, vpa } = account;
  const done = await makeChange(world, visit, async tx => {
    if (!(await chooseDefaultAccount(tx, visit.merchantId, subject))) return null;
    return { action: 'upi_account.default', subject, details: vpa, notice: because('upi_default', { vpa }) };
  });
  return done ? redirect(home, visit.texts.upiAccounts.defaultFlash({ vpa })) : notFound();
}

async function askRemoval(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const { account, places } = await findAccount(world, visit);
  if (!account) return notFound();
  if (account.is_default && places.length > 1) return redirect(home, words.cannotRemoveDefault);
  return confirmPage(visit, {
    title: words.removeTitle(account),
    consequences:
      places.length === 1 ? [words.removeLast, ...words.removeConsequences] : words.removeConsequences,
    submit: visit.texts.labels.remove,
    back: home,
  });
}

async function remove(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const { account } = await findAccount(world, visit);
  if (!account) return notFound();
  const { account_id: subject, vpa } = account;
  const notice = because('upi_removed', { vpa });
  const audited = { action: 'upi_account.remove', subject, details: vpa, notice } as const;
  const take = (tx: Transaction) => removeUpiAccount(tx, world, visit.merchantId, subject);
  const outcome = await makeChange(world, visit, take, removed => removed === 'removed' && audited);
  if (outcome === 'unknown') return notFound();
  return redirect(home, outcome === 'removed' ? words.removedFlash({ vpa }) : words.cannotRemoveDefault);
}

/** A poster with the account's own QR code: any UPI app scans it, and the customer types the amount. */
async function showPoster(world: World, visit: Visit): Promise<Answer> {
  const { texts, merchantId, params } = visit;
  const account = await selectAccount(world.sql, merchantId, params['account_id']);
  if (!account) return notFound();
  const { vpa, payee_name: payeeName, kind, merchant_code: merchantCode } = account;
  return posterPage(visit, {
    title: vpa,
    back: '/dashboard/upi-accounts',
    which: texts.posters.whichAccount,
    qr: qrSvg(upiAccountLink({ vpa, payeeName, kind, merchantCode })),
    qrName: texts.posters.ofAccount,
    words: ({ posters }) => html`<p><strong>${posters.scan}</strong></p><p>${posters.anyApp}</p>`,
    below: html`<strong><bdi>${vpa}</bdi></strong><br><bdi>${payeeName}</bdi>`,
  });
}
