/** A signed To with more addresses is no alert to one account holder. */
const maxAddresses = 20;
/** Bytes of one address header. It is read before the signature is checked, so a stranger may have written it. */
const maxAddressBytes = 4096;

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const addrSpec = `(${atom}(?:\\.${atom})*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+)`;
const bare = new RegExp(`^${addrSpec}$`);
const angled = new RegExp(`^([^<>]*)<${addrSpec}>$`);

/** A display name: plain words, one quoted string, or encoded words. It is never read as an address. */
const plainName = /^[A-Za-z0-9 .!#$%&'*+/=?^_`{|}~-]*$/;
const quotedName = /^"(?:[^"\\<>\x00-\x1f\x7f-\xff]|\\["\\])*"$/;

/**
 * Reads an address header in the strictest grammar that genuine alerts need: `a@b` or `Name <a@b>`, comma separated.
 * Null for groups, comments, routes, quoted local parts, 8-bit bytes, a second `@`, and encoded words in an address:
 * two mail programs could see two recipients there. Addresses are returned in lower case.
 */
export function parseAddresses(value: string): string[] | null {
  if (value.length > maxAddressBytes || /[^\x20-\x7e\t]/.test(value)) return null;
  const entries = splitAtCommas(value);
  if (entries === null || entries.length > maxAddresses) return null;

  const addresses: string[] = [];
  for (const entry of entries) {
    const address = parseOne(entry.replaceAll('\t', ' ').trim());
    if (address === null) return null;
    addresses.push(address.toLowerCase());
  }
  return addresses;
}

/** A comma inside a quoted display name does not separate; an open quote is refused. */
function splitAtCommas(value: string): string[] | null {
  const entries = [''];
  let quoted = false;
  for (let i = 0; i < value.length; i++) {
    const char = value[i]!;
    if (quoted && char === '\\') entries[entries.length - 1] += char + (value[++i] ?? '');
    else if (char === ',' && !quoted) entries.push('');
    else {
      if (char === '"') quoted = !quoted;
      entries[entries.length - 1] += char;
    }
  }
  return quoted ? null : entries;
}

function parseOne(entry: string): string | null {
  const plain = bare.exec(entry);
  if (plain) return isEncodedWord(entry) ? null : plain[1]!;
  const named = angled.exec(entry);
  if (!named) return null;
  const [, name, address] = named as unknown as [string, string, string];
  const shown = name.trim();
  const isName = plainName.test(shown) || quotedName.test(shown) || repeats(shown, address);
  return isName && !isEncodedWord(address) ? address : null;
}

/** `a@b.in <a@b.in>`: old mailers put the address in place of the name. It is still one address. */
function repeats(name: string, address: string): boolean {
  return name.replace(/^'(.*)'$/, '$1').toLowerCase() === address.toLowerCase();
}

/** `=?utf-8?q?x?=@bank.in` has legal atom characters, but some programs decode it, so it is refused. */
function isEncodedWord(text: string): boolean {
  return text.includes('=?');
}
