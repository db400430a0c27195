import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newSecretKey } from '../../src/base/secrets.ts';
import { startReady } from '../../test/support/program.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Stage } from '../play-drill.ts';
import { openLine } from '../standby/line.ts';
import { debianPostgres, startPrimary, startStandby } from '../standby/postgres.ts';

const diskMebibytes = 200;
const patience = 60_000;

/** A PostgreSQL whose own small disk fills up, and one that turns out to be a standby: each is not ready, and says why. */
export async function fillDisk({ folder, onEnd, see }: Stage): Promise<void> {
  const disk = join(folder, 'disk');
  mkdirSync(disk, { mode: 0o711 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m,mode=711`, 'tmpfs', disk]);
  onEnd(async () => void spawnSync('umount', ['--lazy', disk]));
  const bin = debianPostgres() ?? '';
  const server = await startPrimary(bin, join(disk, 'server'));
  onEnd(() => server.stop());
  const standby = await startStandby(bin, join(folder, 'standby'), server);
  onEnd(() => standby.stop());
  const line = await openLine(server.port);
  onEnd(() => line.stop());
  const program = await startReady(folder, {
    env: {
      PUBLIC_URL: 'https://pay.example.in',
      DATABASE_URL: server.url.replace(`:${server.port}/`, `:${line.port}/`),
      SECRET_KEY: newSecretKey(),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
    args: ['web'],
  });
  onEnd(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  const answers = async (status: number, database: RegExp, claim: string) => {
    let said = '';
    const came = await waitFor(
      claim,
      async () => {
        const answer = await fetch(`${program.url}/readyz`);
        said = `${answer.status} ${await answer.text()}`;
        return answer.status === status && database.test(said);
      },
      patience,
    ).then(
      () => true,
      () => false,
    );
    see(claim, came, said);
  };
  await answers(200, /"database":"ok"/, 'a database on a disk with space is ready');
  const ballast = join(disk, 'ballast');
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']);
  await answers(503, /its disk is full/, 'with its disk full it is not, and says so');
  rmSync(ballast);
  await answers(200, /"database":"ok"/, 'with space again it is ready again');
  line.point(standby.port);
  await answers(503, /it is read-only, or a standby/, 'a standby in its place is not ready, and says so');
  line.point(server.port);
  await answers(200, /"database":"ok"/, 'the primary back in its place is');
}
