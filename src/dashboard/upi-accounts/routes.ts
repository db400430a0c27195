import { bankChoices, openBanks } from '../../alerts/banks/bank-support.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { Form } from '../../base/http/form.ts';
import type { World } from '../../base/world.ts';
import { lockMerchant, selectAccountPlaces } from '../../business/merchants/queries.ts';
import { readUpiAccount } from '../../business/merchants/read-upi-account.ts';
import {
  addUpiAccount,
  chooseDefaultAccount,
  removeUpiAccount,
} from '../../business/merchants/upi-accounts.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, whenConfirmed } from '../frame/controls.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, get, nextPath, notFound, post, reauth, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { accountPage } from './account-page.ts';
import { accountForm, bankFaultText, type FormFault } from './bank-fields.ts';
import {
  askBank,
  askCeiling,
  askCountsOrderless,
  changeBank,
  changeCeiling,
  changeCountsOrderless,
} from './change-account.ts';
import { askConfirmation, askDismissal, confirmAccount, dismissAccount } from './unconfirmed.ts';

const home = '/dashboard/upi-accounts';
const bankPath = '/dashboard/shop/bank';
const change = reauth('upi.change');

export const upiAccountsRoutes = [
  get(`${home}/add`, 'upi.change', (world, visit) => addPage(world, visit, null)),
  get(`${home}/:account_id`, 'business.read', accountPage),
  post(home, change, add),
  get(`${home}/:account_id/poster`, 'business.read', async (world, visit) => {
    const { account } = await findAccount(world, visit);
    return account ? redirect(`/dashboard/poster?of=${account.account_id}`) : notFound();
  }),
  get(`${home}/:account_id/default`, change, askDefault),
  post(`${home}/:account_id/default`, change, makeDefault),
  get(`${home}/:account_id/bank`, change, askBank),
  post(`${home}/:account_id/bank`, change, changeBank),
  get(`${home}/:account_id/ceiling`, reauth('upi.ceiling'), askCeiling),
  post(`${home}/:account_id/ceiling`, reauth('upi.ceiling'), changeCeiling),
  get(`${home}/:account_id/takings`, reauth('upi.ceiling'), askCountsOrderless),
  post(`${home}/:account_id/takings`, reauth('upi.ceiling'), changeCountsOrderless),
  get(`${home}/:account_id/remove`, change, askRemoval),
  post(`${home}/:account_id/remove`, change, remove),
  get(`${home}/:account_id/confirm`, reauth('upi.ceiling'), askConfirmation),
  post(`${home}/:account_id/confirm`, reauth('upi.ceiling'), confirmAccount),
  get(`${home}/:account_id/dismiss`, reauth('upi.ceiling'), askDismissal),
  post(`${home}/:account_id/dismiss`, reauth('upi.ceiling'), dismissAccount),
];

async function addPage(world: World, visit: Visit, fault: FormFault | null): Promise<Answer> {
  const { texts, query, form } = visit;
  const title = texts.labels.addUpiAccount;
  const next = nextPath(form.has('next') ? form : query, bankPath);
  const fields = () => accountForm(texts, openBanks(world), fault ? form : chosenBank(visit), fault, next);
  return shopScreen(visit, 'bank', { title, text: texts.upiAccounts.addText, ...(fault && { status: 400 }) })`
${whenConfirmed(visit, fields)}`;
}

/** The bank chosen in the first steps. The address may fill in no other field of the form. */
const chosenBank = ({ query }: Visit) => new Form(new Map([['bank', query.all('bank')]]));

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
    return await addPage(world, visit, said);
  }
  const { vpa, kind, bank } = read.account;
  const added = await makeChange(world, visit, async tx => {
    await lockMerchant(tx, merchantId);
    const places = await selectAccountPlaces(tx, merchantId);
    if (places.some(place => place.vpa.toLowerCase() === vpa)) return null;
    const subject = await addUpiAccount(tx, world, merchantId, read.account);
    const notice = because('upi_added', { vpa });
    return { action: 'upi_account.add', subject, details: { vpa, kind, bank }, notice };
  });
  if (!added) return await addPage(world, visit, { fault: 'vpa', text: words.twice });
  return redirect(nextPath(form, bankPath), words.addedFlash({ vpa }));
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
    danger: false,
    back: `${home}/${account.account_id}`,
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
  return done ? redirect(bankPath, visit.texts.upiAccounts.defaultFlash({ vpa })) : notFound();
}

async function askRemoval(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const { account, places } = await findAccount(world, visit);
  if (!account) return notFound();
  if (account.is_default && places.length > 1) return redirect(bankPath, words.cannotRemoveDefault);
  return confirmPage(visit, {
    title: words.removeTitle(account),
    consequences:
      places.length === 1 ? [words.removeLast, ...words.removeConsequences] : words.removeConsequences,
    submit: visit.texts.labels.remove,
    back: `${home}/${account.account_id}`,
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
  return redirect(bankPath, outcome === 'removed' ? words.removedFlash({ vpa }) : words.cannotRemoveDefault);
}
