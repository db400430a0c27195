import type { HeaderField } from '../mail/split-headers.ts';
import type { SignatureTags } from './parse-signature.ts';

/**
 * The very bytes that a signature covers, latin1 (RFC 6376 §3.4 and §3.7): what h= names, each time the lowest field
 * that is left, and last the signature itself without the value of its b=. A name without a field adds nothing, so
 * that one put in later breaks the signature.
 */
export function canonicaliseHeaders(fields: readonly HeaderField[], tags: SignatureTags): string {
  const canonical = tags.headerCanon === 'relaxed' ? relaxed : (field: HeaderField) => field.raw;
  const left = Map.groupBy(fields, field => field.name);
  const signed = tags.signedNames.flatMap(name => left.get(name)?.pop() ?? []);
  return signed.map(field => `${canonical(field)}\r\n`).join('') + withoutSignature(canonical(tags.field));
}

function relaxed({ name, raw }: HeaderField): string {
  const value = raw
    .slice(raw.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ');
  return `${name}:${value.replace(/^ | $/g, '')}`;
}

/** No tag stands twice, and none has a semicolon in it, so the one named b is the one that was read. */
function withoutSignature(line: string): string {
  const colon = line.indexOf(':') + 1;
  const specs = line.slice(colon).split(';');
  const kept = specs.map(spec => (/^\s*b\s*=/.test(spec) ? spec.slice(0, spec.indexOf('=') + 1) : spec));
  return line.slice(0, colon) + kept.join(';');
}
