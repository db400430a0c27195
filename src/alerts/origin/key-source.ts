/** The answer for a DKIM key. A missing key is a passing fault, because banks rotate keys (design, section 4). */
export type KeyAnswer =
  | {
      readonly kind: 'found';
      readonly record: string;
      /** More keys of this name, now in DNS or until recently, tried if the first does not fit. */
      readonly others?: readonly string[];
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'temporary' };

/**
 * `bank`: the name is under a signing domain of the bank in From; only such a key can lead to a payment. `unlisted`:
 * asked at most once per mail, only to show the operator a bank's new domain. Its owner may be the attacker, so a
 * source may refuse or limit it (`temporary`). `again`: the bank's key did not fit, and may have been replaced since
 * it was asked for.
 */
export type KeyPurpose = 'bank' | 'again' | 'unlisted';

/**
 * `arrivedAt` is when the mail was first seen: a key that left DNS counts only for mails of its time. `merchantId` owns
 * the mail: queries without result are limited for each business separately.
 */
export type KeySource = (
  name: string,
  purpose: KeyPurpose,
  arrivedAt?: Date,
  merchantId?: number,
) => Promise<KeyAnswer>;

/** The map key for an answer while one mail is judged; a name asked for again has two. */
export function keyId({ name, purpose }: { name: string; purpose: KeyPurpose }): string {
  return `${purpose} ${name}`;
}

/**
 * DNS from a file with names and TXT strings, for `explain-alert --dns` and for tests. A list is one long record split
 * into strings, as in DNS, or several records; `SERVFAIL` makes its name fail. Null if the file has another form.
 */
export function readZone(json: string): KeySource | null {
  let zone: unknown;
  try {
    zone = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof zone !== 'object' || zone === null || Array.isArray(zone)) return null;
  const answers = new Map<string, KeyAnswer>();
  for (const [name, value] of Object.entries(zone)) {
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    if (!texts.every(text => typeof text === 'string')) return null;
    answers.set(name.toLowerCase().replace(/\.$/, ''), answerFrom(texts));
  }
  return async name => answers.get(name.toLowerCase()) ?? { kind: 'not_found' };
}

function answerFrom(texts: readonly string[]): KeyAnswer {
  if (texts.length === 1 && texts[0] === 'SERVFAIL') return { kind: 'temporary' };
  const several = texts.slice(1).some(text => /^\s*v\s*=/i.test(text));
  return chooseRecord(several ? texts : [texts.join('')]);
}

/** A bank that changes its key may publish both for a while; more are never needed. */
export const mostOthers = 3;

/** Chooses the records that are keys, in order, because a name may have other TXT records too. */
export function chooseRecord(records: readonly string[]): KeyAnswer {
  const [first, ...others] = records.filter(one => /(?:^|;)\s*p\s*=/.test(one));
  const record = first ?? records[0];
  if (record === undefined || record === '') return { kind: 'not_found' };
  return { kind: 'found', record, ...(others.length > 0 && { others: others.slice(0, mostOthers) }) };
}
