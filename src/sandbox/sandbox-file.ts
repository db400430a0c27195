import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwnFile } from '../base/write-own-file.ts';

/** What a newcomer, their tests and their CI need to begin: `sandbox.json` in the data folder. */
export type SandboxFile = {
  base_url: string;
  shop_url: string | null;
  api_key: string;
  webhook_secret: string;
  email: string;
  password: string;
  mailbox: string;
  /** Where the default UPI account is: the id of a bank's file. Alerts of no other bank pay its orders. */
  bank: string;
  account_digits: string;
  /** Where mail is taken by SMTP, and the demo business's own address there; null without the role `receive`. */
  smtp_url: string | null;
  forward_to: string;
};

/** What is left of an earlier run; a file that is lost or broken says nothing. */
export function readSandboxFile(dataDir: string): Partial<SandboxFile> {
  try {
    const read: unknown = JSON.parse(readFileSync(sandboxFilePath(dataDir), 'utf8'));
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}

export function writeSandboxFile(dataDir: string, file: SandboxFile): void {
  writeOwnFile(sandboxFilePath(dataDir), `${JSON.stringify(file, null, 2)}\n`);
}

export function sandboxFilePath(dataDir: string): string {
  return join(dataDir, 'sandbox.json');
}
