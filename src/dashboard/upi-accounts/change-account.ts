import { bankChoices, bankNames, openBanks } from '../../alerts/banks/bank-support.ts';
import { Form } from '../../base/http/form.ts';
import { mostPaise, paiseFromText, rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { writeCeiling, writeCountsOrderless } from '../../business/merchants/queries.ts';
import { readAccountBank } from '../../business/merchants/read-upi-account.ts';
import { changeAccountBank } from '../../business/merchants/upi-accounts.ts';
import { because } from '../../texts/verdicts.ts';
import { confirmPage, field, hidden, postForm } from '../frame/controls.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, nextPath, notFound, redirect, type Visit } from '../frame/route.ts';
import { shopScreen } from '../frame/shop-page.ts';
import { bankFaultText, bankFields, type FormFault } from './bank-fields.ts';
import { selectAccount } from './queries.ts';

const pageOf = (id: string) => `/dashboard/upi-accounts/${id}`;

export async function askCeiling(world: World, visit: Visit, error?: string): Promise<Answer> {
  const { texts, form } = visit;
  const words = texts.upiAccounts;
  const account = await selectAccount(world.sql, visit.merchantId, visit.params['account_id']);
  if (!account) return notFound();
  const { review_above_paise: ceiling } = account;
  const stored = ceiling === null ? '' : rupeesText(ceiling).replace('.00', '');
  const input = field('ceiling', words.ceilingField, {
    inputmode: 'decimal',
    maxlength: 14,
    value: error === undefined ? stored : form.text('ceiling'),
    error,
  });
  return shopScreen(visit, 'bank', {
    title: words.ceilingTitle,
    text: `${account.vpa}. ${words.ceilingText}`,
    ...(error !== undefined && { status: 400 }),
  })`
${postForm(`${pageOf(account.account_id)}/ceiling`, texts.shell.save, input, {
  cancel: { href: pageOf(account.account_id), text: texts.shell.cancel },
})}`;
}

export async function changeCeiling(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts, now } = visit;
  const words = texts.upiAccounts;
  const account = await selectAccount(world.sql, visit.merchantId, visit.params['account_id']);
  if (!account) return notFound();
  const typed = form.text('ceiling');
  const ceiling = typed === '' ? null : paiseFromText(typed);
  if (typed !== '' && (ceiling === null || ceiling < 100 || ceiling > mostPaise))
    return await askCeiling(world, visit, words.ceilingWrong);
  const { vpa, account_id: subject } = account;
  const shown = ceiling === null ? '' : rupeesText(ceiling);
  const changed = await makeChange(world, visit, async tx => {
    if (!(await writeCeiling(tx, merchantId, subject, ceiling, now))) return null;
    const notice =
      ceiling === null ? because('upi_no_ceiling', { vpa }) : because('upi_ceiling', { vpa, ceiling: shown });
    return { action: 'upi_account.ceiling', subject, details: { vpa, ceiling: shown }, notice };
  });
  return changed ? redirect(pageOf(subject), words.ceilingFlash({ vpa })) : notFound();
}

export async function askCountsOrderless(world: World, visit: Visit): Promise<Answer> {
  const words = visit.texts.upiAccounts;
  const account = await selectAccount(world.sql, visit.merchantId, visit.params['account_id']);
  if (!account) return notFound();
  const { counts_takings: counts, vpa } = account;
  return confirmPage(visit, {
    title: words.orderlessTitle({ vpa }),
    consequences: counts ? words.stopConsequences : words.countConsequences,
    submit: counts ? words.stopOrderless : words.countOrderless,
    fields: [hidden({ takings: counts ? 'off' : 'on' })],
    danger: counts,
    back: pageOf(account.account_id),
  });
}

export async function changeCountsOrderless(world: World, visit: Visit): Promise<Answer> {
  const { merchantId, form, texts } = visit;
  const account = await selectAccount(world.sql, merchantId, visit.params['account_id']);
  const choice = form.text('takings');
  if (!account || (choice !== 'on' && choice !== 'off')) return notFound();
  const { vpa, account_id: subject } = account;
  const changed = await makeChange(world, visit, async tx => {
    if (!(await writeCountsOrderless(tx, merchantId, subject, choice === 'on'))) return null;
    const notice = because(choice === 'on' ? 'upi_takings' : 'upi_no_takings', { vpa });
    return { action: 'upi_account.takings', subject, details: { vpa, takings: choice }, notice };
  });
  return changed ? redirect(pageOf(subject), texts.upiAccounts.ceilingFlash({ vpa })) : notFound();
}

export async function askBank(world: World, visit: Visit, fault: FormFault | null = null): Promise<Answer> {
  const { texts, merchantId, params } = visit;
  const words = texts.upiAccounts;
  const account = await selectAccount(world.sql, merchantId, params['account_id']);
  if (!account) return notFound();
  const stored = { bank: [account.bank ?? ''], account_digits: [account.account_digits ?? ''] };
  const shown = fault ? visit.form : new Form(new Map(Object.entries(stored)));
  const own = pageOf(account.account_id);
  return shopScreen(visit, 'bank', {
    title: words.bankTitle,
    text: `${account.vpa}. ${words.bankText}`,
    ...(fault && { status: 400 }),
  })`
${postForm(`${own}/bank`, words.bankSubmit, [
  hidden({ next: nextPath(fault ? visit.form : visit.query, own) }),
  ...bankFields(texts, openBanks(world), shown, fault),
])}`;
}

export async function changeBank(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts, params } = visit;
  const account = await selectAccount(world.sql, merchantId, params['account_id']);
  if (!account) return notFound();
  const banks = openBanks(world);
  const read = readAccountBank(
    { bank: form.text('bank'), accountDigits: form.text('account_digits') },
    bankChoices(banks),
  );
  if ('fault' in read) return await askBank(world, visit, bankFaultText(texts, banks, read.fault, form));
  const name = bankNames(world);
  const shown = (bank: string | null, digits: string | null) =>
    `${bank === null ? '–' : name(bank)}${digits === null ? '' : ` …${digits}`}`;
  const changed = await makeChange(world, visit, async tx => {
    if (!(await changeAccountBank(tx, world, merchantId, account.account_id, read))) return null;
    const now = shown(read.bank, read.accountDigits);
    return {
      action: 'upi_account.bank',
      subject: account.account_id,
      details: {
        vpa: account.vpa,
        bank_before: account.bank ?? '',
        digits_before: account.account_digits ?? '',
        bank: read.bank,
        digits: read.accountDigits ?? '',
      },
      notice: because('upi_bank_changed', { vpa: account.vpa, account: now }),
    };
  });
  return changed
    ? redirect(nextPath(form, pageOf(account.account_id)), texts.upiAccounts.bankFlash(account))
    : notFound();
}
