import { randomBytes } from 'node:crypto';

const tokenBytes = 16;
const localPart = /^alerts-[0-9a-f]{32}$/;

/** 128 random bits cannot be guessed. They are hexadecimal, because mail servers may change letter case. */
export function newForwardAddress(mailDomain: string): string {
  return `alerts-${randomBytes(tokenBytes).toString('hex')}@${mailDomain}`;
}

/** Whether an address has the form of ours, at any domain. Other addresses need no database query. */
export function isForwardAddress(address: string): boolean {
  return localPart.test(address.slice(0, address.lastIndexOf('@')));
}
