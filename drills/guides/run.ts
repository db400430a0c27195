import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from '../../test/support/install.ts';
import { programs } from '../../test/support/needs.ts';
import { playDrill } from '../play-drill.ts';
import { beginAsNewcomer } from './begin-as-newcomer.ts';
import { operateFromSource } from './operate-from-source.ts';
import { upgradeFirstRelease } from './upgrade-first-release.ts';

/**
 * `npm run drill -- guides [NAMES]`: what README and the guides tell to type is typed as written, on a machine whose
 * folders are layers that are gone afterwards. systemctl is played; `git clone` takes what this checkout has committed.
 */
const scenes = {
  newcomer: beginAsNewcomer,
  source: operateFromSource,
  upgrade: upgradeFirstRelease,
};
const wanted = process.argv.slice(2);

if (process.env['GUIDES_INSIDE'] === undefined) {
  install('the drill needs', [
    ...programs.Dovecot,
    ['/usr/lib/postgresql/*/bin/initdb', 'postgresql'],
    ['/usr/bin/age-keygen', 'age'],
  ]);
  const layers = mkdtempSync(join(tmpdir(), 'milaan-guides-'));
  const inside = ['sh', join(import.meta.dirname, 'own-machine.sh'), layers, process.execPath];
  const { status } = spawnSync(
    'unshare',
    ['--mount', '--propagation', 'private', ...inside, import.meta.filename, ...wanted],
    { stdio: 'inherit', env: { ...process.env, GUIDES_INSIDE: 'yes' } },
  );
  rmdirSync(layers);
  process.exit(status ?? 1);
}

await playDrill('guides drill', async stage => {
  for (const [name, play] of Object.entries(scenes))
    if (wanted.length === 0 || wanted.includes(name)) {
      console.log(` ${name}`);
      await play(stage);
    }
});
