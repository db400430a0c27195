import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
const scripts = ['preinst', 'postinst', 'prerm', 'postrm'];

/**
 * A Debian package of a staged tree. It brings its Node and asks for nothing; `milaan setup` does the rest. The same
 * sources give the same bytes: dates are the commit's, owners and rights set, and the size is not the disk's.
 */
export function writeDeb(tree: string, folder: string): string {
  const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { version: string };
  const architecture = architectures[process.arch];
  if (!architecture) throw new Error(`there is no Node for ${process.arch} to bring along`);
  const work = mkdtempSync(join(tmpdir(), 'milaan-deb-'));
  try {
    const root = join(work, 'root');
    for (const part of ['DEBIAN', 'usr/lib', 'usr/bin', 'usr/share/doc/milaan', 'lib/systemd/system'])
      mkdirSync(join(root, part), { recursive: true });
    cpSync(tree, join(root, 'usr/lib/milaan'), { recursive: true, verbatimSymlinks: true });
    for (const unit of globSync(join(tree, 'packaging/systemd/*')))
      renameSync(
        join(root, 'usr/lib/milaan/packaging/systemd', basename(unit)),
        join(root, 'lib/systemd/system', basename(unit)),
      );
    symlinkSync('../lib/milaan/bin/milaan', join(root, 'usr/bin/milaan'));
    cpSync(join(tree, 'CHANGELOG.md'), join(root, 'usr/share/doc/milaan/changelog'));
    for (const script of scripts) {
      const text = readFileSync(join(tree, 'packaging/deb', script), 'utf8').replaceAll('@VERSION@', version);
      writeFileSync(join(root, 'DEBIAN', script), text);
      chmodSync(join(root, 'DEBIAN', script), 0o755);
    }
    rmSync(join(root, 'usr/lib/milaan/packaging/deb'), { recursive: true });
    const control = readFileSync(join(tree, 'packaging/deb/control'), 'utf8')
      .replace('@VERSION@', version)
      .replace('@ARCHITECTURE@', architecture)
      .replace('@SIZE@', String(installedKibibytes(root)));
    writeFileSync(join(root, 'DEBIAN/control'), control);
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', root]);
    const date = commitDate();
    for (const path of everythingBelow(root)) lutimesSync(path, date, date);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `milaan_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', root, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
    });
    return file;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** In seconds. Whoever builds without git says it: `SOURCE_DATE_EPOCH`. */
function commitDate(): number {
  const said = process.env['SOURCE_DATE_EPOCH'];
  return Number(said ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: import.meta.dirname }));
}

function everythingBelow(folder: string): string[] {
  const names = readdirSync(folder, { encoding: 'utf8', recursive: true });
  return [folder, ...names.map(name => join(folder, name))];
}

/** Counts as Debian does, independent of the disk: each file in whole KiB, and one for anything else. */
function installedKibibytes(root: string): number {
  return everythingBelow(root)
    .map(path => lstatSync(path))
    .reduce((sum, stat) => sum + (stat.isFile() ? Math.ceil(stat.size / 1024) : 1), 0);
}
