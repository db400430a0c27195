import { isAmong, type SecretBox } from '../../base/secrets.ts';
import { headerOf } from '../mail/header-of.ts';

export const codeLength = 8;

/** Keyed, so that a stolen table does not reveal eight digits. Uses every key of the ring, newest first. */
export function codeHashes(secrets: SecretBox, merchantId: number, address: string, code: string): Buffer[] {
  return secrets.signatures('alert address code', `${merchantId}\n${address}\n${code}`);
}

/** The code in the subject of one of our own mails, or null. */
export function codeInSubject(raw: Buffer): string | null {
  const subject = headerOf(raw, 'Subject') ?? '';
  return new RegExp(`\\bMilaan code\\s+(\\d{${codeLength}})\\b`).exec(subject)?.[1] ?? null;
}

export const proofHeader = 'X-Milaan-Proof';

/**
 * This proof is sent with a code. A person who knows a forwarding address can send it any number of guessed codes. A
 * proof has 256 bits, so wrong ones need no counter, and an attacker cannot use up the owner's tries.
 */
export function codeProof(secrets: SecretBox, codeHash: Buffer): string {
  return proofs(secrets, codeHash)[0]!.toString('hex');
}

export function carriesProof(secrets: SecretBox, raw: Buffer, codeHash: Buffer): boolean {
  const given = headerOf(raw, proofHeader);
  if (given === null || !/^[0-9a-f]{64}$/.test(given)) return false;
  return isAmong(proofs(secrets, codeHash), Buffer.from(given, 'hex'));
}

function proofs(secrets: SecretBox, codeHash: Buffer): Buffer[] {
  return secrets.signatures('alert address proof', codeHash.toString('hex'));
}
