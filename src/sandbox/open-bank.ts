import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBanks } from '../alerts/banks/load-banks.ts';
import { writeOwnFile } from '../base/write-own-file.ts';

const selector = 'sandbox';
const keyBits = 2048;

export type SimulatedBank = ReturnType<typeof openBank>;

/** A bank that exists only in this sandbox. Its key is kept, so that mails from an earlier run still verify. */
export function openBank(dataDir: string) {
  const entry = loadBanks(join(import.meta.dirname, 'bank.json')).find(bank => bank.id === 'sandbox');
  const [sender, domain] = [entry?.senders[0], entry?.signingDomains[0]];
  if (!entry || !sender || !domain) throw new Error('bank.json of the sandbox is not whole');
  const path = join(dataDir, 'sandbox-bank-key.pem');
  if (!existsSync(path)) writeOwnFile(path, newKey());
  const privateKey = readFileSync(path, 'utf8');
  return {
    entry,
    sender,
    domain,
    selector,
    privateKey,
    /** The name and the TXT record that publish the key, for the sandbox's resolver. */
    keyName: `${selector}._domainkey.${domain}`,
    keyRecord: recordOf(privateKey),
  };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: keyBits });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function recordOf(privateKey: string): string {
  const publicKey = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
  return `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
}
