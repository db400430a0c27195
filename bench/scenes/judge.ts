import assert from 'node:assert/strict';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { loadBanks } from '../../src/alerts/banks/load-banks.ts';
import { judgeMail } from '../../src/alerts/judging/judge-mail.ts';
import { startJudges } from '../../src/alerts/judging/start-judges.ts';
import type { KeyAnswer } from '../../src/alerts/origin/key-source.ts';
import { zone } from '../../test/support/signed-mail.ts';
import { hdfcMail, hdfcRecords } from '../mail/hdfc-mail.ts';
import { inTurns, median } from '../mail/in-turns.ts';
import { report } from '../report.ts';

/**
 * Judges a mail of HDFC's size, from its bytes to the verdict, without a database. The limit is the DKIM library alone
 * on the same bytes and keys. Both run one mail after the other on one thread. The product judges in worker threads,
 * which the last row shows.
 */
const rounds = 14;
const mailsARound = 80;

const banks = loadBanks(null);
const records = hdfcRecords();
const to = 'merchant@shop.in';
const now = new Date('2026-11-15T06:30:00Z');
const mails = (gmail: boolean) =>
  Array.from({ length: mailsARound }, (_, number) =>
    hdfcMail(
      { amount: `${500 + number}.37`, reference: String(615300112233 + number), to, sentAt: now },
      { gmail },
    ),
  );
const kinds = { 'as sent': mails(false), 'through Gmail': mails(true) };
const moments = { addresses: [to], arrivedAt: now, now };
const keys = zone(records);

const bare = async (raw: Buffer) => {
  const { results } = await dkimVerify(raw, {
    strict: true,
    minBitLength: 1024,
    curTime: now,
    resolver: async (name: string) => {
      const record = records[name];
      if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
      return [[record]];
    },
  });
  return results.map(({ status }) => status.result).join();
};
const ours = async (raw: Buffer) => (await judgeMail(raw, { ...moments, banks, keys })).verdict;

const known = (name: string): KeyAnswer | null =>
  records[name] === undefined ? null : { kind: 'found', record: records[name] };
const judges = startJudges({ banks: () => banks, keys, known, log: console });
const inThread = async (raw: Buffer) => (await judges.judge(raw, moments)).verdict;

// Both must find what they are to find, or the figures compare nothing.
assert.equal(await bare(kinds['as sent'][0]!), 'pass,pass');
assert.equal(await bare(kinds['through Gmail'][0]!), 'fail,fail');
for (const [first] of Object.values(kinds)) {
  assert.equal(await ours(first!), 'credit');
  assert.equal(await inThread(first!), 'credit');
}

/** A mail's cost in milliseconds of CPU time on all threads, which other work on the machine hardly changes. */
const cost = (verb: (raw: Buffer) => Promise<unknown>, some: readonly Buffer[]) => async () => {
  const before = process.cpuUsage();
  for (const raw of some) await verb(raw);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / some.length;
};

const rows: Record<string, string | number>[] = [];
const ratios: number[] = [];
for (const [kind, some] of Object.entries(kinds)) {
  const contestants = { bare: cost(bare, some), ours: cost(ours, some), thread: cost(inThread, some) };
  await inTurns(2, contestants);
  const figures = await inTurns(rounds, contestants);
  const limit = median(figures.bare);
  ratios.push(limit / median(figures.ours));
  const row = (what: string, each: number) => ({
    what,
    mail: `${(some[0]!.length / 1024).toFixed(1)} KiB, ${kind}`,
    'ms of CPU': each.toFixed(2),
    'mails/s of CPU': Math.round(1000 / each),
    ratio: (limit / each).toFixed(2),
  });
  rows.push(
    row('mailauth alone', limit),
    row('judgeMail', median(figures.ours)),
    row('by way of a thread', median(figures.thread)),
  );
}
await judges.close();
report({ name: 'judge', aim: { atLeast: 1.4 }, ratio: Math.min(...ratios), rows });
