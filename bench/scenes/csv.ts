import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch, systemClock } from '../../src/base/clock.ts';
import { secretBox } from '../../src/base/secrets.ts';
import { addUser } from '../../src/business/accounts/add-user.ts';
import { startSession } from '../../src/business/accounts/session.ts';
import { addBusinesses, type Business } from '../http/add-businesses.ts';
import { addHistory } from '../http/add-history.ts';
import { needPrograms } from '../http/need-programs.ts';
import { runWrk } from '../http/run-wrk.ts';
import { startService } from '../http/start-service.ts';
import { report } from '../report.ts';

/**
 * The most memory of a `web` process that has just started, while an owner downloads a million orders as CSV, and what it
 * keeps. Beside it what the same process takes for ten seconds of ordinary requests.
 */
const orders = Number(process.argv[2] ?? 1_000_000);

const service = await startService();
try {
  const { sql } = service;
  const [business] = (await addBusinesses(sql, 1_000_000_000_001, 1)) as [Business];
  await addHistory(sql, business, orders);
  await sql.unsafe('vacuum analyze');
  const world = { sql, clock: systemClock, secrets: secretBox([service.secretKey]) };
  const person = { email: 'owner@shop.example', passwordHash: 'none', role: 'owner' as const };
  const userId = await addUser(sql, world, business.merchantId, person);
  const session = {
    merchantId: business.merchantId,
    userId,
    stage: 'full' as const,
    address: '127.0.0.1',
    agent: 'bench',
  };
  const { token } = await sql.begin(tx => startSession(tx, world as never, session));
  const cookie = `__Host-milaan=${token}`;

  // A small one first: what the screen needs once is nobody's export.
  needPrograms('wrk');
  await download('?status=failed');
  await sleep(2000);
  const before = memory();
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, memory());
  }, 50);
  const took = stopwatch();
  const { lines, bytes } = await download('');
  const seconds = took() / 1000;
  clearInterval(watching);
  if (lines !== orders + 1) throw new Error(`${lines} lines`);
  await sleep(5000);
  const after = memory();
  const asked = Array.from(
    { length: 1000 },
    (_, place) => `/api/v1/orders/ML-${String(place + 1).padStart(10, '0')} ${business.apiKey}`,
  );
  await runWrk(service.url, 'read', asked, { seconds: 10 });
  const row = (what: string, mebibytes: number) => ({ what, MiB: Math.round(mebibytes) });
  report({
    name: 'csv',
    aim: { atMost: 1.35 },
    ratio: most / before,
    rows: [
      row('just started', before),
      row(`most during ${lines - 1} orders, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(0)} s`, most),
      row('five seconds after', after),
      row('after ten seconds of ordinary requests', memory()),
    ],
  });

  async function download(filter: string): Promise<{ lines: number; bytes: number }> {
    const answer = await fetch(`${service.url}/dashboard/orders/export.csv${filter}`, {
      headers: { cookie },
    });
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    let lines = 0;
    let bytes = 0;
    for await (const chunk of answer.body!) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines++;
    }
    return { lines, bytes };
  }
} finally {
  await service.stop();
}

/** Resident, in MiB. */
function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
}
