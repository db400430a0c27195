import { bankChoices, bankNames, openBanks } from '../../alerts/banks/bank-names.ts';
import { parseForm } from '../../base/http/form.ts';
import type { World } from '../../base/world.ts';
import { changeAccountBank } from '../../business/merchants/change-account-bank.ts';
import { readAccountBank } from '../../business/merchants/read-upi-account.ts';
import { because } from '../../texts/verdicts.ts';
import { hidden, postForm } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { makeChange } from '../frame/record-change.ts';
import { type Answer, nextPath, notFound, redirect, type Visit } from '../frame/route.ts';
import { bankFaultText, bankFields, type FormFault } from './bank-fields.ts';
import { selectAccount } from './queries.ts';

const home = '/dashboard/upi-accounts';

/** Asks where an account is. The proof of the first steps comes here with what its alert said. */
export async function askBank(world: World, visit: Visit, fault: FormFault | null = null): Promise<Answer> {
  const { texts, merchantId, params } = visit;
  const words = texts.upiAccounts;
  const account = await selectAccount(world.sql, merchantId, params['account_id']);
  if (!account) return notFound();
  const given = fault ? visit.form : visit.query;
  const recorded = new URLSearchParams({
    bank: account.bank ?? '',
    account_digits: account.account_digits ?? '',
  });
  const shown = given.has('bank') ? given : parseForm(String(recorded))!;
  const title = words.bankTitle(account.vpa);
  return screen(title, { text: words.bankText, ...(fault && { status: 400 }) })`
${card(
  postForm({
    action: `${home}/${account.account_id}/bank`,
    submit: words.bankSubmit,
    fields: [hidden({ next: nextPath(given, home) }), ...bankFields(texts, openBanks(world), shown, fault)],
  }),
)}`;
}

export async function changeBank(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts, params } = visit;
  const words = texts.upiAccounts;
  const account = await selectAccount(world.sql, merchantId, params['account_id']);
  if (!account) return notFound();
  const banks = openBanks(world);
  const read = readAccountBank(
    { bank: form.text('bank'), accountDigits: form.text('account_digits') },
    bankChoices(banks),
  );
  if ('fault' in read) return await askBank(world, visit, bankFaultText(texts, banks, read.fault, form));
  const name = bankNames(world);
  const told = (bank: string | null, digits: string | null) =>
    `${bank === null ? '–' : name(bank)}${digits === null ? '' : ` …${digits}`}`;
  const changed = await makeChange(world, visit, async tx => {
    if (!(await changeAccountBank(tx, world, merchantId, account.account_id, read))) return null;
    const now = told(read.bank, read.accountDigits);
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
  return changed ? redirect(nextPath(form, home), words.bankFlash(account.vpa)) : notFound();
}
