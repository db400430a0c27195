import assert from 'node:assert/strict';
import type { Bank } from '../../src/alerts/banks/bank.ts';
import { judgeMail } from '../../src/alerts/judging/judge-mail.ts';
import type { KeyAnswer } from '../../src/alerts/origin/key-source.ts';
import { sayReason } from '../../src/texts/say.ts';
import { sentence, testBank } from './alert-banks.ts';
import { mailKey, type SignOptions, signMail, zone } from './signed-mail.ts';

/** The moment at which the alerts of these tests are written, signed and received. */
export const noon = new Date('2026-06-02T06:30:00Z');
export const noonSeconds = noon.getTime() / 1000;

export const genuineLines = [
  'From: Test Bank <alerts@test.bank.in>',
  'To: merchant@shop.in',
  'Subject: Account update',
  'Date: Tue, 02 Jun 2026 11:59:50 +0530',
  'Message-ID: <1@test.bank.in>',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
];

/** The lines of a genuine alert with some of them replaced, added (a new name) or left out (null). */
export function linesWith(changes: Record<string, string | null>): string[] {
  const left = new Map(Object.entries(changes));
  const kept = genuineLines.flatMap(line => {
    const name = line.slice(0, line.indexOf(':'));
    if (!left.has(name)) return [line];
    const value = left.get(name);
    left.delete(name);
    return value === null || value === undefined ? [] : [`${name}: ${value}`];
  });
  return [...kept, ...[...left].flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))];
}

export function signedAlert(
  lines: readonly string[] = genuineLines,
  body = `${sentence}\r\n`,
  options: Partial<SignOptions> = {},
): Buffer {
  return signMail(lines, body, { domain: 'test.bank.in', tags: [`t=${noonSeconds - 5}`], ...options });
}

export const bankZone = () => ({ 's1._domainkey.test.bank.in': mailKey().record });

export type JudgeOptions = {
  bank?: Bank;
  records?: Record<string, string | KeyAnswer>;
  addresses?: string[];
  arrivedAt?: Date;
  now?: Date;
};

/** Judges with the test bank's key in DNS, and reports which names were looked up. */
export async function judge(raw: Buffer, options: JudgeOptions = {}) {
  const keys = zone({ ...bankZone(), ...options.records });
  const judgement = await judgeMail(raw, {
    banks: [options.bank ?? testBank()],
    addresses: options.addresses ?? ['merchant@shop.in'],
    arrivedAt: options.arrivedAt ?? noon,
    now: options.now ?? options.arrivedAt ?? noon,
    keys,
  });
  return Object.assign(judgement, { asked: keys.asked });
}

export async function expectVerdict(
  raw: Buffer,
  verdict: string,
  reason: RegExp,
  options: JudgeOptions = {},
) {
  const judgement = await judge(raw, options);
  assert.equal(judgement.verdict, verdict, judgement.reason.code);
  assert.match(sayReason('en', judgement.reason), reason);
  return judgement;
}

/** Adds a line on top, as a relay does. */
export function onTop(raw: Buffer, line: string): Buffer {
  return Buffer.concat([Buffer.from(`${line}\r\n`, 'latin1'), raw]);
}

/** Changes bytes after signing. */
export function altered(raw: Buffer, from: string | RegExp, to: string): Buffer {
  const text = raw.toString('latin1');
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`nothing to alter: ${from}`);
  return Buffer.from(changed, 'latin1');
}
