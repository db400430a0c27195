import { headOf } from '../mail/header-of.ts';

/** As many as a mail may have before it is refused. */
const mostSignatures = 8;
const signature = /^dkim-signature:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/gim;

/**
 * The keys that the signatures of a mail seem to name, lower case, at a glance: the judge takes the mail apart and asks
 * for what it truly needs.
 */
export function guessKeyNames(raw: Uint8Array): string[] {
  const head = headOf(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  const fields = head.match(signature)?.slice(0, mostSignatures) ?? [];
  return fields.flatMap(field => {
    const [domain, selector] = ['d', 's'].map(tag => new RegExp(`[;:\\s]${tag}=([\\w.-]+)`).exec(field)?.[1]);
    return domain && selector ? `${selector}._domainkey.${domain}`.toLowerCase() : [];
  });
}
