import { parseArgs } from 'node:util';
import { minute, second } from '../../src/base/clock.ts';
import { install } from '../../test/support/install.ts';
import { type DrillOptions, runDrill } from './drill.ts';
import { summaryOf } from './summary.ts';

/** `npm run drill -- faults --minutes 30 --seed 7`, `--plan machines`, or `--plan scenes [--only WORD] [--mails 100000]`: docs/internals/reliability.md. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    plan: { type: 'string', default: 'faults' },
    only: { type: 'string', default: '' },
    mails: { type: 'string', default: '10000' },
    'fault-every': { type: 'string', default: '6' },
    'creates-per-second': { type: 'string', default: '3' },
  },
});
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () =>
    interrupted.abort(new Error(`${signal}: everything is put away, nothing was checked`)),
  );

const options: DrillOptions = {
  seed: Number(values.seed),
  time: Number(values.minutes) * minute,
  rounds: Number.POSITIVE_INFINITY,
  plan: values.plan === 'machines' || values.plan === 'scenes' ? values.plan : 'faults',
  only: values.only,
  mails: Number(values.mails),
  faultEvery: Number(values['fault-every']) * second,
  longestFault: 20 * second,
  createsPerSecond: Number(values['creates-per-second']),
  say: line => console.log(line),
  signal: interrupted.signal,
};
install('the drill needs', [
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
]);
console.log(`seed ${options.seed}`);
try {
  const result = await runDrill(options);
  for (const line of summaryOf(options, result)) console.log(line);
  process.exitCode = result.violations.length === 0 ? 0 : 1;
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
