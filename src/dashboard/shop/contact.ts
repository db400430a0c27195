import { longestMailAddress, parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { Contact } from '../../business/accounts/queries/merchants.ts';
import type { Texts } from '../../texts/languages.ts';

const longestNumber = 30;

const contactWays = {
  phone: { read: readPhone, maxlength: longestNumber },
  // WhatsApp links need the number with its country code.
  whatsapp: { read: internationalOnly, maxlength: longestNumber },
  email: { read: parseMailAddress, maxlength: longestMailAddress, inputmode: 'email' },
} as const;
export type ContactWay = keyof typeof contactWays;

export const contactFields = (Object.keys(contactWays) as ContactWay[]).map(way => {
  const { read, ...limits } = contactWays[way];
  return { way, column: `contact_${way}` as keyof Contact, read, limits };
});

export function contactWords({ business: words, counter }: Texts) {
  return {
    phone: { label: words.contactPhone, hint: words.contactPhoneHint, wrong: words.contactPhoneWrong },
    whatsapp: {
      label: counter.whatsapp,
      hint: words.contactWhatsappHint,
      wrong: words.contactWhatsappWrong,
    },
    email: { label: words.contactEmail, wrong: words.contactEmailWrong },
  };
}

function internationalOnly(text: string): string | null {
  const number = readPhone(text);
  return number?.startsWith('+') ? number : null;
}

/**
 * A telephone number that can be dialled from anywhere: +91… for an Indian one, with or without its 0. A toll-free
 * number has no country code and stays as it is. Null if it is none.
 */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  if (/^\+[1-9]\d{7,14}$/.test(number)) return number;
  if (/^1[89]\d{2}\d{6,7}$/.test(number)) return number;
  const indian = /^(?:0|91)?([6-9]\d{9})$/.exec(number) ?? /^0(\d{10})$/.exec(number);
  return indian ? `+91${indian[1]}` : null;
}
