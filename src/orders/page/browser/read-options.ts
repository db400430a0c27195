import { mostRupees } from '../../../base/money.ts';
import { complain } from './element.ts';
import type { MilaanOptions } from './milaan-widget.d.ts';

export type Options = ReturnType<typeof readOptions>;

/** Our choice, because the specification only says that a default path exists. */
const webhookPath = '/webhooks/upi';

/** The options as the widget uses them: all of §4.4's table and our own, with their defaults. */
export function readOptions(given: unknown, scriptOrigin: string) {
  const options = (typeof given === 'object' && given !== null ? given : {}) as MilaanOptions;
  const known = new Set<string>();
  const take = <Name extends keyof MilaanOptions>(name: Name) => {
    known.add(name);
    return options[name];
  };
  const text = (name: keyof MilaanOptions) => {
    const value = take(name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const [older, customer, account, onSuccess, sum, languages] = [
    text('gateway'),
    take('customer'),
    take('paymentAccountId'),
    take('onSuccess'),
    take('amount'),
    take('languages'),
  ];
  const amount = sum === undefined ? null : readAmount(String(sum));
  if (sum !== undefined && amount === null)
    complain(`amount ${sum} is no sum from 0.01 to 1000000: the customer is asked`);
  const autoStart = take('autoStart') === true;
  if (autoStart && amount === null) complain('autoStart needs an amount');
  const read = {
    createOrderUrl: text('createOrderUrl'),
    statusUrl: text('statusUrl'),
    apiKey: text('apiKey'),
    origin: (text('origin') ?? older ?? scriptOrigin).replace(/\/+$/, ''),
    title: text('title'),
    amount,
    autoStart,
    language: text('language'),
    languages: Array.isArray(languages) ? languages.map(String) : [],
    accent: text('accent'),
    /** The body of a create with apiKey, without amount and merchant_order_id. */
    create: {
      success_url: text('successUrl') ?? location.href,
      failure_url: text('failureUrl') ?? location.href,
      webhook_url: text('webhookUrl') ?? location.origin + webhookPath,
      ...(customer && { customer }),
      ...(account && { payment_account_id: account }),
    },
    merchantOrderId: text('merchantOrderId'),
    onSuccess: typeof onSuccess === 'function' ? onSuccess : null,
  };
  nameUnknown(Object.keys(options).filter(name => !known.has(name)));
  return read;
}

const named = new Set<string>();

/** Warns the developer about misspelt options, which do nothing. Once, however many widgets a page has. */
function nameUnknown(unknown: string[]): void {
  const fresh = unknown.filter(name => !named.has(name));
  for (const name of fresh) named.add(name);
  if (fresh.length > 0) complain(`no such option: ${fresh.join(', ')}`);
}

/** Reads typed amounts: digits of both scripts, grouping commas, a rupee sign. §8 bounds it. */
export function readAmount(typed: string): number | null {
  const plain = typed.replace(/[०-९]/g, digit => String(digit.charCodeAt(0) - 0x966)).replace(/[₹,\s]/g, '');
  const amount = Number(plain);
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) && amount <= mostRupees && Math.round(amount * 100) > 0
    ? amount
    : null;
}
