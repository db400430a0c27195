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

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dateTime =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ?)?(\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))? ([+-]\d{4}|GMT|UTC|UT)(?: \([A-Za-z0-9 :+-]{0,40}\))?$/i;

/** Reads only an RFC 5322 date; `Date.parse` would guess at other forms. */
export function parseMailDate(value: string): Date | null {
  const found = dateTime.exec(value.replace(/[ \t]+/g, ' ').trim());
  if (!found) return null;
  const [, day, monthName, year, hour, minute, second = '0', zone] = found as unknown as string[];
  const month = months.indexOf(monthName!.toLowerCase());
  const offset = offsetMinutes(zone!);
  if (month < 0 || offset === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null;

  const midnight = new Date(Date.UTC(Number(year), month, Number(day)));
  // 31 February and similar dates roll over into another month.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== Number(day) || Number(year) < 2000)
    return null;
  const seconds = (Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second);
  return new Date(midnight.getTime() + seconds * 1000);
}

function offsetMinutes(zone: string): number | null {
  if (!/\d/.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
