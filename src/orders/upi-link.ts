import { type Paise, rupeesText } from '../money.ts';

export type UpiPayee = {
  vpa: string;
  payeeName: string;
  kind: 'personal' | 'merchant';
  merchantCode: string | null;
};

/**
 * The deep link that a UPI app opens. `@` stays raw and a space is %20, because apps read `+` and `%40` literally;
 * the amount has two decimals always. Only an account that its bank verified as a merchant's carries `mc` and `tr`:
 * a personal account that claims them is declined.
 */
export function upiLink(payee: UpiPayee, payable: Paise, orderId: string): string {
  const parameters: [string, string][] = [
    ['pa', payee.vpa],
    ['pn', payee.payeeName],
  ];
  if (payee.kind === 'merchant') {
    if (payee.merchantCode !== null) parameters.push(['mc', payee.merchantCode]);
    parameters.push(['tr', orderId.replaceAll('-', '')]);
  }
  parameters.push(['am', rupeesText(payable)], ['cu', 'INR'], ['tn', orderId]);
  return `upi://pay?${parameters.map(([name, value]) => `${name}=${escape(value)}`).join('&')}`;
}

function escape(value: string): string {
  return encodeURIComponent(value)
    .replaceAll('%40', '@')
    .replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
