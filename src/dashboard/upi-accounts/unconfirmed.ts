import { bankNames } from '../../alerts/banks/bank-support.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import {
  confirmUpiAccount,
  dismissUpiAccount,
  selectUnconfirmed,
} from '../../business/merchants/unconfirmed-accounts.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, plainLink } from '../frame/controls.ts';
import { facts, note, titledCard } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';

const home = '/dashboard/upi-accounts';
const bankPath = '/dashboard/shop/bank';

/** Accounts that the operator added by command. They take no orders until an owner confirms them. */
export async function unconfirmedCards(world: World, visit: Visit): Promise<Html[]> {
  const words = visit.texts.upiAccounts;
  const accounts = await selectUnconfirmed(world.sql, visit.merchantId);
  return accounts.map(account => {
    const path = `${home}/${account.account_id}`;
    return titledCard({ title: account.payee_name })`
${note(words.unconfirmed)}
${facts([
  [words.vpa, html`<strong>${account.vpa}</strong>`],
  [words.kind, account.kind === 'merchant' ? words.merchant : words.personal],
  [visit.texts.labels.bank, account.bank === null ? '–' : bankNames(world)(account.bank)],
  [words.digits, account.account_digits === null ? '–' : `…${account.account_digits}`],
])}
${visit.may('upi.ceiling') && html`<div class="actions">${plainLink(`${path}/confirm`, words.confirm)}${plainLink(`${path}/dismiss`, words.dismiss)}</div>`}`;
  });
}

async function findUnconfirmed(world: World, { merchantId, params }: Visit) {
  const accounts = await selectUnconfirmed(world.sql, merchantId);
  return accounts.find(one => one.account_id === params['account_id']);
}

export async function askConfirmation(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const account = await findUnconfirmed(world, visit);
  if (!account) return notFound();
  return confirmPage(visit, {
    title: words.confirmTitle(account),
    consequences: words.confirmConsequences,
    submit: words.confirm,
    danger: false,
    back: bankPath,
  });
}

export async function confirmAccount(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const account = await findUnconfirmed(world, visit);
  if (!account) return notFound();
  const { account_id: subject, vpa, kind, bank } = account;
  const notice = because('upi_added', { vpa });
  const audited = {
    action: 'upi_account.add',
    subject,
    details: { vpa, kind, bank: bank ?? '' },
    notice,
  } as const;
  const take = (tx: Transaction) => confirmUpiAccount(tx, world, visit.merchantId, subject);
  const outcome = await makeChange(world, visit, take, confirmed => confirmed === 'confirmed' && audited);
  if (outcome === 'unknown') return notFound();
  return redirect(bankPath, outcome === 'confirmed' ? words.addedFlash({ vpa }) : words.twice);
}

export async function askDismissal(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const account = await findUnconfirmed(world, visit);
  if (!account) return notFound();
  return confirmPage(visit, {
    title: words.dismissTitle(account),
    consequences: words.dismissConsequences,
    submit: words.dismiss,
    back: bankPath,
  });
}

export async function dismissAccount(world: World, visit: Visit): Promise<Answer> {
  const account = await findUnconfirmed(world, visit);
  if (!account) return notFound();
  const { account_id: subject, vpa } = account;
  const done = await makeChange(world, visit, async tx => {
    if (!(await dismissUpiAccount(tx, visit.merchantId, subject))) return null;
    return { action: 'upi_account.remove', subject, details: vpa, notice: because('upi_removed', { vpa }) };
  });
  return done ? redirect(bankPath, visit.texts.upiAccounts.removedFlash({ vpa })) : notFound();
}
