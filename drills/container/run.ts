import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../test/support/install.ts';
import { playDrill } from '../play-drill.ts';
import { drillCompose } from './compose.ts';
import { drillImage } from './image.ts';
import { drillMemoryFloor } from './memory-floor.ts';
import { keepApart, must, podman } from './podman.ts';

/**
 * `npm run drill -- container`: the image is built, run by its roles, paid, upgraded. No registry is asked for an image:
 * Debian's is made by mmdebstrap, and that of Node from the Node and npm of this machine. Of its three parts, `image`,
 * `compose` and `memory`, those are played that are named behind it, or all.
 */
install('the drill needs', [
  ['/usr/bin/podman', 'podman'],
  ['/usr/sbin/runc', 'runc'],
  ['/usr/bin/podman-compose', 'podman-compose'],
  ['/usr/lib/podman/netavark', 'netavark'],
  ['/usr/lib/podman/aardvark-dns', 'aardvark-dns'],
  // netavark calls it, and Debian only recommends it.
  ['/usr/sbin/iptables', 'iptables'],
  ['/usr/bin/mmdebstrap', 'mmdebstrap'],
  ['/usr/lib/postgresql', 'postgresql'],
  ['/usr/sbin/dovecot', 'dovecot-imapd'],
]);
const base = 'localhost/milaan-drill-debian';
const node = 'localhost/milaan-drill-node';
const wanted = process.argv.slice(2);
const plays = (part: string) => wanted.length === 0 || wanted.includes(part);
const context = [
  'bin',
  'docs',
  'migrations',
  'packaging',
  'scripts',
  'sdk',
  'plugins',
  'src',
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.env.example',
  'CHANGELOG.md',
  'README.md',
  'Containerfile',
  'compose.yaml',
  '.dockerignore',
];

await playDrill('container drill', async ({ folder, onEnd, see }) => {
  keepApart(folder);
  onEnd(async () => void podman('rmi', '--all', '--force'));
  const bases = process.env['MILAAN_DRILL_BASE'] ?? join(folder, 'base.tar');
  if (!existsSync(bases))
    execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', 'bookworm', bases], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  must('import', bases, base);
  const nodeFolder = join(folder, 'node');
  mkdirSync(nodeFolder);
  cpSync(process.execPath, join(nodeFolder, 'node'));
  cpSync(
    join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm'),
    join(nodeFolder, 'npm'),
    { recursive: true },
  );
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(nodeFolder, 'ca.crt'));
  writeFileSync(
    join(nodeFolder, 'Containerfile'),
    `FROM ${base}\nRUN apt-get update -q && apt-get install -y -q --no-install-recommends libatomic1 libstdc++6 && rm -rf /var/lib/apt/lists/*\nCOPY node /usr/bin/node\nCOPY npm /usr/lib/npm\nCOPY ca.crt /ca.crt\nENV NODE_EXTRA_CA_CERTS=/ca.crt\nRUN ln -s ../lib/npm/bin/npm-cli.js /usr/bin/npm\n`,
  );
  must('build', '--network', 'host', '-t', node, nodeFolder);
  const copySources = (name: string) => {
    const sources = join(folder, name);
    mkdirSync(sources);
    for (const part of context.filter(one => existsSync(one)))
      cpSync(part, join(sources, part), {
        recursive: true,
        filter: path => !/(?:^|\/)node_modules$/.test(path),
      });
    return sources;
  };
  if (plays('image')) await drillImage({ folder, onEnd, see }, { base, node, copySources });
  if (plays('compose'))
    await drillCompose({ folder, onEnd, see }, { sources: copySources('compose'), base, node });
  if (plays('memory')) await drillMemoryFloor({ folder, onEnd, see }, base);
});
