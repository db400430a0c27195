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
