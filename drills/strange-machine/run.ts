import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../test/support/install.ts';
import { programs } from '../../test/support/needs.ts';
import { playDrill } from '../play-drill.ts';
import { everywhere, type Scene, scenes } from './scenes.ts';

/**
 * `npm run drill -- strange-machine [NAMES]`: tests that touch the machine are run on machines that are strange, each
 * in one way, one after the other. A scene whose strangeness did not take hold fails, whatever its tests say.
 */
const wanted = process.argv.slice(2);
const nobody = 65534;
install('the drill needs', Object.values(programs).flat());

await playDrill('strange machine drill', async ({ folder, see }) => {
  see('it runs as root, which can make a machine strange', process.getuid?.() === 0);
  for (const name of wanted)
    see(
      `there is a scene ${name}`,
      scenes.some(scene => scene.name === name),
    );
  for (const scene of scenes)
    if (wanted.length === 0 || wanted.includes(scene.name)) play(scene, join(folder, scene.name), see);
});

function play(scene: Scene, place: string, see: (claim: string, holds: boolean, why?: string) => void): void {
  mkdirSync(place, { mode: 0o777 });
  chmodSync(place, 0o777);
  const tree = scene.ordinaryUser ? copyOfTheTree(place) : process.cwd();
  const tests = [...everywhere, ...(scene.more ?? [])].flatMap(path => {
    const files = globSync(path.endsWith('.ts') ? path : `${path}/**/*.test.ts`);
    if (files.length === 0) see(`${scene.name}: there is ${path}`, false);
    return files;
  });
  const user = scene.ordinaryUser
    ? `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups --no-new-privs `
    : '';
  writeFileSync(join(place, 'struck.sh'), `${scene.struck}\n`, { mode: 0o755 });
  const script = `set -e
cd ${process.cwd()}
${scene.make ?? ''}
cd ${tree}
export HOME=\${HOME_OF_SCENE:-$HOME}
${user}sh "$SCENE/struck.sh" >&2 || exit 99
set +e
${user}"$NODE" test/run.ts ${tests.join(' ')}`;
  const apart = (scene.apart ?? []).map(kind => `--${kind}`);
  const [command = '', ...args] = [
    ...(apart.length > 0 ? ['unshare', ...apart, '--propagation', 'private'] : []),
    'sh',
    '-c',
    script,
  ];
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: {
      ...process.env,
      SCENE: place,
      NODE: process.execPath,
      ...scene.env,
      ...(scene.ordinaryUser && { HOME_OF_SCENE: place }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  const said = `${stdout}\n${stderr}`;
  const results = /^\d+ passed, \d+ failed$/m.exec(stdout)?.[0] ?? 'no tests';
  const tail = said.slice(said.search(/failing tests|Error/)).slice(0, 6_000);
  see(`${scene.name}: the machine is strange`, results !== 'no tests', said.slice(-2_000));
  see(`${scene.name}: ${results} (${seconds} s)`, status === 0, tail);
  if (scene.says)
    see(`${scene.name}: it says which tests were skipped`, scene.says.test(stdout), stdout.slice(-1_000));
}

/** Copies files under version control, new ones too, and the packages, as a person would have them. */
function copyOfTheTree(place: string): string {
  const tree = join(place, 'tree');
  mkdirSync(tree);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.split('\n').filter(Boolean)) cpSync(file, join(tree, file));
  execFileSync('cp', ['-r', 'node_modules', tree]);
  execFileSync('chown', ['-R', `${nobody}:${nobody}`, tree]);
  return tree;
}
