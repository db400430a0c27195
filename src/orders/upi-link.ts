import { type Paise, rupeesText } from '../base/money.ts';

export type UpiPayee = {
  vpa: string;
  payeeName: string;
  kind: 'personal' | 'merchant';
  merchantCode: string | null;
};

/**
 * The deep link that a UPI app opens. `@` stays raw and a space is %20, because apps read `+` and `%40` literally; the
 * amount always has two decimals. Only an account that its bank verified as a merchant's carries `mc` and `tr`: apps
 * decline a personal account that claims them.
 */
export function upiLink(payee: UpiPayee, payable: Paise, orderId: string): string {
  const parameters = payeeParameters(payee);
  if (payee.kind === 'merchant') parameters.push(['tr', orderId.replaceAll('-', '')]);
  return written([...parameters, ['am', rupeesText(payable)], ['cu', 'INR'], ['tn', orderId]]);
}

/** The account itself, for a poster: whoever scans it types the sum, and no two payments share a reference. */
export function upiAccountLink(payee: UpiPayee): string {
  return written([...payeeParameters(payee), ['cu', 'INR']]);
}

type Parameter = [name: string, value: string];

function payeeParameters({ vpa, payeeName, kind, merchantCode }: UpiPayee): Parameter[] {
  const code: Parameter[] = kind === 'merchant' && merchantCode !== null ? [['mc', merchantCode]] : [];
  return [['pa', vpa], ['pn', shortName(payeeName)], ...code];
}

function written(parameters: readonly Parameter[]): string {
  return `upi://pay?${parameters.map(([name, value]) => `${name}=${percentEncoded(value)}`).join('&')}`;
}

/**
 * A letter of an Indian script is nine bytes of a link. A longer name would make a QR too dense for a cheap camera;
 * the app shows the name that the bank knows anyway. Cut between letters, never inside one.
 */
const nameBytes = 225;

function shortName(name: string): string {
  if (percentEncoded(name).length <= nameBytes) return name;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (percentEncoded(short + segment).length > nameBytes) break;
    short += segment;
  }
  return short.trimEnd();
}

const plain = /^[A-Za-z0-9@._~-]*$/;

function percentEncoded(value: string): string {
  if (plain.test(value)) return value;
  return encodeURIComponent(value)
    .replaceAll('%40', '@')
    .replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
