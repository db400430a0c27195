import { randomBytes } from 'node:crypto';
import { loadBanks } from '../../src/alerts/banks/load-banks.ts';
import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { openLog } from '../../src/base/log.ts';
import { openMetrics } from '../../src/base/metrics.ts';
import { type Dns, DnsError } from '../../src/base/network/dns.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { readConfig } from '../../src/base/settings/config.ts';
import type { World } from '../../src/base/world.ts';
import { createApiKey } from '../../src/business/merchants/create-api-key.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import type { NewUpiAccount } from '../../src/business/merchants/queries.ts';
import { addUpiAccount } from '../../src/business/merchants/upi-accounts.ts';
import { openTestDatabase } from './test-database.ts';

/** A clock that moves only when the test moves it. */
export type TestClock = {
  now(): Date;
  set(moment: string | Date): void;
  advance(milliseconds: number): void;
};

export function testClock(start = '2026-11-15T06:30:00.000Z'): TestClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    set: moment => {
      time = new Date(moment).getTime();
    },
    advance: milliseconds => {
      time += milliseconds;
    },
  };
}

/** Names that a test gives answers for; every other name does not exist. */
type TestDns = Dns & { addresses: Map<string, string[]>; texts: Map<string, string[]> };

function testDns(): TestDns {
  const addresses = new Map<string, string[]>();
  const texts = new Map<string, string[]>();
  const answer = (table: Map<string, string[]>, name: string) => {
    const found = table.get(name);
    if (!found) throw new DnsError('not_found', `no answer for ${name}`);
    return found;
  };
  return {
    addresses,
    texts,
    lookupAddresses: async name => answer(addresses, name),
    lookupText: async name => answer(texts, name),
  };
}

/** Compiled once for all worlds of a process. */
let builtIn: ReturnType<typeof loadBanks> | undefined;
function builtInBanks(): ReturnType<typeof loadBanks> {
  builtIn ??= loadBanks(null);
  return builtIn;
}

export type TestWorld = World & {
  clock: TestClock;
  dns: TestDns;
  databaseUrl: string;
  stop(): Promise<void>;
};

/** A real database with a clock and a DNS that the test owns. `env` sets what an operator would set. */
export async function openTestWorld(
  env: Record<string, string> = {},
  pool: Parameters<typeof openTestDatabase>[0] = {},
): Promise<TestWorld> {
  const database = await openTestDatabase(pool);
  const read = readConfig([], { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...env });
  if ('problems' in read) throw new Error(read.problems.join('; '));
  return {
    config: read.config,
    baseUrl: 'https://pay.example.in',
    sql: database.sql,
    clock: testClock(),
    dns: testDns(),
    log: openLog(read.config.logLevel),
    metrics: openMetrics(),
    secrets: secretBox([randomBytes(32)]),
    banks: openBankBook(() =>
      read.config.banksFile === null ? builtInBanks() : loadBanks(read.config.banksFile),
    ),
    databaseUrl: database.url,
    stop: database.stop,
  };
}

export type TestMerchant = { merchantId: number; apiKey: string; keyId: string; accountId: string };

/** A business that can take orders: a key, and one personal account. */
export async function addTestMerchant(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets'>,
  {
    name = 'Chai Point',
    plan,
    account = {},
    merchantId: id,
  }: { name?: string; plan?: string; account?: Partial<NewUpiAccount>; merchantId?: number } = {},
): Promise<TestMerchant> {
  const merchantId = await createMerchant(world.sql, world, {
    name,
    ...(plan && { plan }),
    ...(id && { merchantId: id }),
  });
  const { apiKey, keyId } = await createApiKey(world.sql, world, merchantId, 'test');
  const accountId = await world.sql.begin(tx =>
    addUpiAccount(tx, world, merchantId, {
      vpa: 'chai@okaxis',
      payeeName: name,
      kind: 'personal',
      bank: 'hdfc',
      accountDigits: '4321',
      ...account,
    }),
  );
  // The other cells were asked about it, and none has it.
  if ('cells' in world)
    await world.sql`update upi_accounts set same_as = null where merchant_id = ${merchantId}`;
  return { merchantId, apiKey, keyId, accountId };
}
