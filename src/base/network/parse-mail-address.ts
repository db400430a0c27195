export const longestMailAddress = 254;

/** A plain address in lower case, or null. Banks do not write to quoted or international ones. */
export function parseMailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  const form =
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
  return address.length <= longestMailAddress && form.test(address) ? address : null;
}
