import type { Bank } from '../../alerts/banks/bank.ts';
import { bankChoices, canConfirm, printedDigits, whyUnread } from '../../alerts/banks/bank-support.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { byOperator, recordAudit } from '../../business/accounts/record-audit.ts';
import { lockMerchant, selectAccountPlaces } from '../../business/merchants/queries.ts';
import {
  type AccountFault,
  mostPayeeName,
  readUpiAccount,
} from '../../business/merchants/read-upi-account.ts';
import { selectUnconfirmed } from '../../business/merchants/unconfirmed-accounts.ts';
import { addUpiAccount } from '../../business/merchants/upi-accounts.ts';
import { textsIn } from '../../texts/languages.ts';
import { because } from '../../texts/verdicts.ts';
import type { Command } from '../command.ts';

export const upiCommands: Record<string, Command> = {
  'add-upi-account': {
    needs: 'database',
    summary:
      'propose a UPI account to its owner, who confirms it on the dashboard (the next release drops this)',
    options: {
      business: { meaning: 'the id of the business, as list-businesses prints it', required: true },
      'upi-id': { meaning: 'such as chaipoint@okaxis', required: true },
      'payee-name': { meaning: 'the name that UPI apps show', required: true },
      bank: { meaning: "the id of its bank's file, such as hdfc; only its alerts count", required: true },
      'account-digits': {
        meaning: "the last digits of the bank account, as many as the bank's alerts print",
      },
      kind: { meaning: 'personal (when left out) or merchant' },
      'merchant-code': { meaning: 'the category code of a merchant account' },
    },
    run: addAccount,
  },
};

async function addAccount(world: World, options: Record<string, string>): Promise<number> {
  console.error('warning: the next release has no add-upi-account; owners add accounts on the dashboard');
  await world.banks.reload(world);
  const banks = world.banks.current().filter(bank => bank.closed === null);
  const read = readUpiAccount(
    {
      vpa: options['upi-id'] ?? '',
      payeeName: options['payee-name'] ?? '',
      kind: options['kind'] ?? 'personal',
      merchantCode: options['merchant-code'] ?? '',
      bank: options['bank'] ?? '',
      accountDigits: options['account-digits'] ?? '',
    },
    bankChoices(banks),
  );
  if ('fault' in read) throw new StartError(complaint(read.fault, banks, options['bank']));
  const { account } = read;
  const merchantId = Number(options['business']);
  const accountId = await world.sql.begin(async tx => {
    if (
      !Number.isSafeInteger(merchantId) ||
      !(await tx`select from merchants where merchant_id = ${merchantId}`.some())
    )
      throw new StartError(`there is no business ${options['business']}`);
    await lockMerchant(tx, merchantId);
    const places = [
      ...(await selectAccountPlaces(tx, merchantId)),
      ...(await selectUnconfirmed(tx, merchantId)),
    ];
    if (places.some(place => place.vpa.toLowerCase() === account.vpa))
      throw new StartError(`the business has ${account.vpa} already`);
    const added = await addUpiAccount(tx, world, merchantId, account, false);
    await recordAudit(tx, byOperator(world, merchantId), {
      action: 'upi_account.propose',
      subject: added,
      details: { vpa: account.vpa, kind: account.kind, bank: account.bank },
      notice: because('upi_proposed', { vpa: account.vpa }),
    });
    return added;
  });
  console.log(`account  ${accountId}`);
  console.error('it takes orders once an owner confirms it on the dashboard, under Shop, Bank and UPI');
  return 0;
}

function complaint(fault: AccountFault, banks: readonly Bank[], typed: string | undefined): string {
  const bank = banks.find(one => one.id === typed);
  return {
    vpa: '--upi-id must look like name@bank',
    payee_name: `--payee-name must have 1 to ${mostPayeeName} characters, on one line`,
    kind: '--kind must be personal or merchant',
    merchant_code: '--merchant-code must have four digits, and only merchant accounts have one',
    bank: bank
      ? whyUnread(textsIn('en'), bank)
      : `--bank must be one of ${banks
          .filter(canConfirm)
          .map(one => one.id)
          .join(', ')}`,
    account_digits:
      bank && printedDigits(bank) > 0
        ? `--account-digits must be the last ${printedDigits(bank)} digits of the account, as many as the alerts of ${bank.name} print`
        : '--account-digits must be two to six digits',
  }[fault];
}
