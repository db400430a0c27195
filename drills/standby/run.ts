import { parseArgs } from 'node:util';
import { install } from '../../test/support/install.ts';
import { openLiveShop } from '../../test/support/live-shop.ts';
import type { Part } from '../../test/support/needs.ts';
import { playDrill } from '../play-drill.ts';
import type { Fixture } from './drill.ts';
import { killLeader } from './kill-leader.ts';
import { killPrimary } from './kill-primary.ts';
import { killProcesses } from './kill-processes.ts';
import { debianPostgres } from './postgres.ts';
import { stepClocks } from './step-clocks.ts';

/**
 * The database fails under load, and another takes over; the service is never restarted. Four scenes:
 * `npm run drill -- standby [--rounds 4] [--async]` kills the primary and promotes its standby. With --async, the
 * control, it fails unless the loss that must happen was noticed.
 * `npm run drill -- standby patroni [--rounds 3]` kills the leader of a cluster of three at random moments.
 * `npm run drill -- standby processes [--rounds 3]` kills each process instead, and leaves the database alone.
 * `npm run drill -- standby clocks [--steps 3,15,45,-15]` steps the database's clock, and a standby that is ahead takes
 * over.
 */
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    async: { type: 'boolean', default: false },
    steps: { type: 'string', default: '3,15,45,-15' },
  },
  allowPositionals: true,
});
const [scene = 'pair'] = positionals;
const rounds = (usual: number) => Number(values.rounds ?? usual);
type Scene = { play: (fixture: Fixture) => Promise<void>; more?: Part[] };
const scenes: Record<string, Scene> = {
  pair: { play: killPrimary(values.async ? 1 : rounds(4), values.async) },
  patroni: {
    play: killLeader(rounds(3)),
    more: [
      ['/usr/bin/patroni', 'patroni'],
      ['/usr/bin/etcd', 'etcd-server'],
      ['/usr/sbin/haproxy', 'haproxy'],
    ],
  },
  processes: { play: killProcesses(rounds(3)) },
  clocks: {
    play: stepClocks(values.steps.split(',').map(Number)),
    more: [['/usr/bin/faketime', 'faketime']],
  },
};
const chosen = scenes[scene];
if (!chosen) throw new Error(`no scene is called ${scene}: patroni, processes or clocks, or none`);
install('the drill needs', [
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
  ...(chosen.more ?? []),
]);

await playDrill(
  `standby drill, ${scene}${values.async ? ', asynchronous (the control)' : ''}`,
  async stage => {
    const bin = debianPostgres();
    if (!bin) throw new Error('PostgreSQL 15 or newer is needed: apt-get install postgresql');
    const shop = await openLiveShop();
    stage.onEnd(() => shop.stop());
    await chosen.play({ ...stage, bin, shop });
  },
);
