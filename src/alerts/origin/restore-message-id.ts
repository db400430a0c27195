import { field, joinMail, type SplitMail } from '../mail/split-headers.ts';

const replacedByGmail = /^<[^<>]*SMTPIN_ADDED_(BROKEN|MISSING)@mx\.google\.com>$/;

/**
 * Gmail replaces a malformed Message-ID (HDFC and City Union send one without angle brackets) and keeps the original
 * as X-Google-Original-Message-ID. The header is signed, so a genuine mail no longer verifies. This restores the
 * original. It is safe, because the signature is checked again over the result. Null if nothing can be restored.
 */
export function restoreMessageId(mail: SplitMail): SplitMail | null {
  const kind = replacedByGmail.exec(mail.fields.find(one => one.name === 'message-id')?.value ?? '')?.[1];
  const originals = mail.fields.filter(one => one.name === 'x-google-original-message-id');
  if (kind === undefined || originals.length > 1 || (kind === 'BROKEN' && originals.length === 0))
    return null;

  const original = originals[0];
  const fields = mail.fields
    .filter(one => one !== original)
    .flatMap(one => {
      if (one.name !== 'message-id') return [one];
      // The bank sent no Message-ID, so Gmail's is removed.
      return original ? [field(`Message-ID:${original.raw.slice(original.raw.indexOf(':') + 1)}`)] : [];
    });
  return { outcome: 'split', fields, body: mail.body, raw: joinMail(fields, mail.body) };
}
