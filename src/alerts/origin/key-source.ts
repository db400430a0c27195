/** What asking for a DKIM key yielded. A missing key is a passing fault: banks rotate keys (design, section 4). */
export type KeyAnswer =
  | {
      readonly kind: 'found';
      readonly record: string;
      /** Further keys of the same name, tried where the first does not fit: beside it in DNS, or there until lately. */
      readonly others?: readonly string[];
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'temporary' };

/**
 * `bank`: the name lies under a signing domain of the bank the mail claims to be from; only such a key can lead to a
 * payment. `unlisted`: asked at most once a mail, only to tell the operator that a bank signs with a new domain; its
 * owner may be the attacker, so whoever answers may refuse or ration it (`temporary`) without any loss. `again`: the
 * bank's key that was given does not fit; it may have been replaced since it was asked for.
 */
export type KeyPurpose = 'bank' | 'again' | 'unlisted';

/**
 * `arrivedAt` is when the mail was first seen: a key that has left DNS counts for mails of its time only. `business` is
 * whose mail it is: what is asked for in vain is rationed for each apart.
 */
export type KeySource = (
  name: string,
  purpose: KeyPurpose,
  arrivedAt?: Date,
  business?: number,
) => Promise<KeyAnswer>;

/** The key under which an answer is kept while one mail is judged; a name asked for again has two. */
export function keyId({ name, purpose }: { name: string; purpose: KeyPurpose }): string {
  return `${purpose} ${name}`;
}

/**
 * DNS as a file: names to TXT strings, for `explain-alert --dns` and for tests. A list is one long record cut into
 * strings, as DNS cuts it, or several records; `SERVFAIL` fails its name. Null when the file has another form.
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

/** A bank that changes its key may publish both for a while; nobody has a use for more. */
export const mostOthers = 3;

/** Of several TXT records of one name those that are keys at all, in their order; other texts may stand beside them. */
export function chooseRecord(records: readonly string[]): KeyAnswer {
  const [first, ...others] = records.filter(one => /(?:^|;)\s*p\s*=/.test(one));
  const record = first ?? records[0];
  if (record === undefined || record === '') return { kind: 'not_found' };
  return { kind: 'found', record, ...(others.length > 0 && { others: others.slice(0, mostOthers) }) };
}
