import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwnFile } from '../base/write-own-file.ts';

/** `sandbox.json` in the data folder: everything that a newcomer, their tests and their CI need to begin. */
export type SandboxFile = {
  base_url: string;
  shop_url: string | null;
  api_key: string;
  webhook_secret: string;
  email: string;
  password: string;
  mailbox: string;
  /** The default UPI account's bank: the id of a bank's file. Only this bank's alerts pay its orders. */
  bank: string;
  account_digits: string;
  /** The SMTP listener, and the demo business's address there; null without the role `receive`. */
  smtp_url: string | null;
  forward_to: string;
};

/** Reads an earlier run's values; a lost or broken file has none. */
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
