import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
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

/** A Debian package of a staged tree. It brings its Node and asks for nothing; `milaan setup` does the rest. */
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
    const kibibytes = execFileSync('du', ['-sk', join(root, 'usr')], { encoding: 'utf8' }).split('\t')[0];
    const control = readFileSync(join(tree, 'packaging/deb/control'), 'utf8')
      .replace('@VERSION@', version)
      .replace('@ARCHITECTURE@', architecture)
      .replace('@SIZE@', kibibytes ?? '');
    writeFileSync(join(root, 'DEBIAN/control'), control);
    execFileSync('chmod', ['-R', 'go=rX', join(root, 'usr'), join(root, 'lib')]);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `milaan_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', root, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
