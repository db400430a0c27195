import { randomBase62 } from '../random.ts';

export const longestMailAddress = 254;

/** Stands for the mail address of people who have none. The domain never exists (RFC 2606), so no mail reaches it. */
const noMail = '@phone.invalid';

export const newAddressWithoutMail = (): string => `cashier-${randomBase62(10).toLowerCase()}${noMail}`;

export function hasMail(address: string): boolean {
  return !address.toLowerCase().endsWith(noMail);
}

/** A plain address in lower case, or null. Banks do not write to quoted or international ones. */
export function parseMailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  const form =
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
  return address.length <= longestMailAddress && form.test(address) && hasMail(address) ? address : null;
}
