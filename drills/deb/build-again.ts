import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const build =
  'umask 077; git ls-files -z | xargs -0 cp --parents -t "$0" && cd "$0" && npm run -s package -- deb';

/** The package once more, of the same sources: in another folder, later, with other rights, zone and language. */
export function buildAgain(folder: string): string {
  mkdirSync(folder);
  const date = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();
  execFileSync('sh', ['-c', build, folder], {
    env: { ...process.env, SOURCE_DATE_EPOCH: date, TZ: 'Asia/Kolkata', LC_ALL: 'hi_IN.UTF-8' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return globSync(join(folder, 'dist/*.deb'))[0]!;
}
