export const longestMailAddress = 254;

/** A plain mail address in lower case, or null. Nothing quoted, nothing international: no bank writes to such. */
export function parseMailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  const form =
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
  return address.length <= longestMailAddress && form.test(address) ? address : null;
}
