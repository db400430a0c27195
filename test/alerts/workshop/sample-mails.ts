import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import type { Selections } from '../../../src/alerts/workshop/find-selections.ts';
import { type InspectedMail, inspectMail } from '../../../src/alerts/workshop/inspect-mail.ts';
import { type Alert, everyAlert } from '../../support/bank-mail.ts';
import { noon } from '../../support/genuine-alert.ts';
import { mailKey, zone } from '../../support/signed-mail.ts';

export const allBanks = loadBanks(null);

/** The banks as they would be had nobody ever written this one's file. */
export function without(id: string) {
  return allBanks.filter(bank => bank.id !== id);
}

/** The words that a person selects in the alerts of `bankMail`. */
const common = { amount: '500.37', reference: '615300112233' };
export const samples: readonly { alert: Alert; chosen: Selections }[] = everyAlert.map(alert => ({
  alert,
  chosen: {
    ...common,
    account: { hdfc: '4321', canara: 'XXXX4321', slice: 'xx4321' }[alert.bank] ?? 'XX4321',
    payer_name: alert.bank === 'axis' ? 'MEERA IYE' : 'MEERA IYER',
    ...(alert.bank === 'hdfc' && { payer_vpa: 'meera.iyer@okaxis' }),
  },
}));

export async function inspected(raw: Buffer, banks = allBanks, signs = true): Promise<InspectedMail> {
  const keys = Object.fromEntries(
    allBanks.flatMap(bank => bank.signingDomains).map(one => [`s1._domainkey.${one}`, mailKey().record]),
  );
  const mail = await inspectMail(raw, { banks, keys: zone(signs ? keys : {}), arrivedAt: noon, now: noon });
  if (mail.outcome !== 'inspected') throw new Error(JSON.stringify(mail));
  return mail;
}

/** The same alert of another payment. */
export function another(alert: Alert): Alert {
  const other = (text: string) =>
    text
      .replaceAll('500.37', '1,00,042.08')
      .replaceAll('4321', '9876')
      .replaceAll('615300112233', '998877665544')
      .replaceAll('MEERA IYER', "Mr A.K. D'SOUZA")
      .replaceAll('MEERA IYE', 'K RAO')
      .replaceAll('meera.iyer@okaxis', '9876543210@ybl')
      .replaceAll('3,571.23', '12.00')
      .replaceAll('02-06-26', '28-12-27')
      .replaceAll('02-Jun-26', '28-Dec-27')
      .replaceAll('02/06/26', '28/12/27');
  return { ...alert, subject: other(alert.subject), text: other(alert.text) };
}
