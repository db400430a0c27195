const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** 15 characters, the last of which checks the others: a slip of one is noticed. Null: it is none. */
export function readGstin(text: string): string | null {
  const gstin = text.replace(/\s/g, '').toUpperCase();
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/.test(gstin)) return null;
  const sum = [...gstin.slice(0, -1)].reduce((sum, character, at) => {
    const product = digits.indexOf(character) * (1 + (at % 2));
    return sum + Math.floor(product / digits.length) + (product % digits.length);
  }, 0);
  return gstin.endsWith(digits[(digits.length - (sum % digits.length)) % digits.length]!) ? gstin : null;
}
