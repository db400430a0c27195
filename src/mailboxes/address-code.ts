import type { SecretBox } from '../secrets.ts';

export const codeLength = 8;

/** Keyed, so that eight digits cannot be found from a stolen table; under every key of the ring, newest first. */
export function codeHashes(secrets: SecretBox, merchantId: number, address: string, code: string): Buffer[] {
  return secrets.signatures('alert address code', `${merchantId}\n${address}\n${code}`);
}

/** The code in the subject of one of our own mails, or null. */
export function codeInSubject(raw: Buffer): string | null {
  const text = raw.subarray(0, 64 * 1024).toString('latin1');
  const head = text.slice(0, text.search(/\r?\n\r?\n/) >>> 0);
  const subject = /^subject:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)/im.exec(head)?.[1] ?? '';
  return new RegExp(`\\bMilaan code\\s+(\\d{${codeLength}})\\b`).exec(subject)?.[1] ?? null;
}
