import { chmodSync, globSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minute, second } from '../../src/base/clock.ts';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import type { Program } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Fixture, makeSynchronous, openPair, seeVerified, serviceOn } from './drill.ts';
import { startLoad } from './load.ts';
import { type Postgres, startStandby } from './postgres.ts';

type Scene = {
  name: string;
  /** The database's own figure of how far its clock moved, in seconds. */
  moved: number;
  orders: string[];
};

/** The database begins so far behind the machine that all steps together stay within a minute of it. */
const begin = -30;
const standbyAhead = 20;
/** All processes have compared their clocks within this. */
const sceneTime = 16 * second;
/** Between two comparisons of a process. */
const compareEvery = 10 * second;
/** Each customer pays at once: no bank is slower than our clocks are wrong. */
const customers = { lanes: 2, paidEvery: 1, pause: 400 };

/**
 * Eight processes. Each step comes right after the mail process has compared its clock, so that it is the last to find
 * out: webs stamp orders by the new time and it stamps their mails by the old one.
 */
export const stepClocks = (steps: readonly number[]) => async (fixture: Fixture) => {
  const { bin, folder, shop, onEnd, see } = fixture;
  const faked = fakeClock(bin, join(folder, 'bin-0'), begin);
  const pair = await openPair(fixture, faked.bin);
  const service = serviceOn(fixture, pair.url, { DATABASE_POOL: '8', LOG_LEVEL: 'warn' });
  const mail = await service.start('mail');
  const apiKey = await service.addShop();
  await service.start('mail');
  await Promise.all(['deliver', 'deliver', 'deliver'].map(role => service.start(role)));
  // One after the other, so that they do not all compare at one moment.
  const urls = [await service.start('web'), await service.start('web'), await service.start('web')].map(
    ({ url }) => url,
  );

  const load = startLoad(shop, urls, apiKey, customers);
  onEnd(() => Promise.race([load.stop(), sleep(5 * second)]));
  const scenes: Scene[] = [];
  /** Those who paid since the scene before. */
  const play = async (name: string, work: () => Promise<number>) => {
    const before = load.promised.mailed.size;
    const moved = await work();
    scenes.push({ name, moved, orders: [...load.promised.mailed].slice(before) });
  };
  await play('quiet', () => sleep(5 * second, 0));
  let ahead = begin;
  for (const step of steps) {
    await untilAfterLook(mail, 1 * second);
    await play(`step of ${step > 0 ? '+' : ''}${step} s`, async () => {
      const before = await aheadOf(pair.serving());
      ahead += step;
      faked.setAhead(ahead);
      await sleep(sceneTime);
      return (await aheadOf(pair.serving())) - before;
    });
  }
  const standbyBin = fakeClock(bin, join(folder, 'bin-1'), ahead + standbyAhead).bin;
  const standby = await startStandby(standbyBin, join(folder, 'server-1'), pair.serving());
  await makeSynchronous(pair.serving());
  await play(`standby ${standbyAhead} s ahead`, async () => {
    const before = await aheadOf(pair.serving());
    await pair.failOver(standby);
    await sleep(sceneTime);
    return (await aheadOf(standby)) - before;
  });
  await load.stop();

  const sql = connect(standby.url, { most: 2 });
  onEnd(() => sql.end());
  const all = [...load.promised.mailed];
  const isPaid = async () => (await paidOf(sql, all)).paid === all.length;
  // A busy machine is late, and misses nothing.
  const isWhole = await waitFor('every payment found', isPaid, 5 * minute).catch(() => false);
  see(`${all.length} payments, none missed`, isWhole, mail.output());
  for (const { name, moved, orders } of scenes) {
    const { paid, parted } = await paidOf(sql, orders);
    // A step back is followed little by little; a step ahead must be seen in the stamps.
    const struck = name === 'quiet' || (Math.abs(moved) > 2 && (moved < 0 || parted > 0));
    see(
      `${name}: the database moved ${moved.toFixed(1)} s, ${orders.length} paid for, ${paid} paid, ${parted} stamped the wrong way round`,
      paid === orders.length && struck,
      struck ? '' : 'VACUOUS: the fault did not strike',
    );
  }
  await seeVerified(fixture, service.env);
};

/** The next moment that is this long after a comparison of the process, which logs when it corrected its clock. */
async function untilAfterLook(program: Program, milliseconds: number): Promise<void> {
  const corrected = [...program.output().matchAll(/"time":(\d+)[^\n]*our clock was corrected/g)].at(-1)?.[1];
  if (corrected === undefined) throw new Error('the mail process never compared its clock');
  const phase = (Date.now() - Number(corrected)) % compareEvery;
  await sleep((milliseconds - phase + compareEvery) % compareEvery);
}

async function aheadOf(server: Postgres): Promise<number> {
  const asked = () => server.run('select extract(epoch from clock_timestamp())::float8 as now');
  const [row] = await asked().catch(asked);
  return Number(row?.['now']) - Date.now() / second;
}

/** `parted`: orders whose mail is stamped as if it had arrived before they were made, which a rule by clocks refuses. */
async function paidOf(sql: Sql, orders: readonly string[]): Promise<{ paid: number; parted: number }> {
  const [row] = await sql<{ paid: number; parted: number }[]>`
    select count(*) filter (where o.status = 'paid') as paid,
      count(*) filter (where exists (select from alerts a
        where a.merchant_id = o.merchant_id and a.amount_paise = o.payable_paise and a.arrived_at < o.created_at)) as parted
    from orders o where o.order_id = any(${orders}::text[])`;
  return row!;
}

/**
 * PostgreSQL's programs, whose server has a wall clock that the drill sets, in seconds ahead of the machine's. Its
 * monotonic clock goes on as before. `real` is the folder of Debian's programs; libfaketime is loaded by the server alone.
 */
function fakeClock(real: string, folder: string, ahead: number) {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('libfaketime is needed: apt-get install faketime');
  mkdirSync(folder, { mode: 0o755 });
  const file = join(folder, 'ahead');
  const setAhead = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setAhead(ahead);
  chmodSync(file, 0o644);
  for (const name of readdirSync(real))
    if (name !== 'postgres') symlinkSync(join(real, name), join(folder, name));
  const server = join(folder, 'postgres');
  writeFileSync(
    server,
    `#!/bin/sh
export LD_PRELOAD=${library} FAKETIME_TIMESTAMP_FILE=${file} FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1
exec ${join(real, 'postgres')} "$@"
`,
  );
  chmodSync(server, 0o755);
  return { bin: folder, setAhead };
}
