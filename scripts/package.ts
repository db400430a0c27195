import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSdk, type PackageFiles } from '../src/developers/clients/build-sdk.ts';
import { packZip } from '../src/developers/clients/pack-zip.ts';
import { packFiles, pluginFiles } from '../src/developers/clients/routes.ts';
import { buildAlerts } from './build-alerts.ts';
import { buildMedusa } from './build-medusa.ts';
import { packPackage } from './pack-package.ts';
import { stageNpm } from './package/stage-npm.ts';
import { stageTree } from './package/stage-tree.ts';
import { writeDeb } from './package/write-deb.ts';
import { whmcsFiles } from './whmcs-files.ts';

/**
 * `npm run -s package -- deb` writes dist/milaan_VERSION_ARCHITECTURE.deb, `woocommerce` the zip that a shop owner
 * uploads, `whmcs` the zip that is unpacked over a WHMCS, `medusa`, `react` and `n8n` the packages that npm installs,
 * `npm` the package `milaan` for `npx`, `sdk` and `alerts` the libraries: each prints where it lies. `tree FOLDER` writes
 * the tree of the package alone, as the image takes it.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [what = '', given = 'dist'] = positionals;
// Commands are run inside the tree: a relative name would mean another place there.
const folder = resolve(given);
// The rights of what is packed are no matter of whose shell it is.
process.umask(0o022);

const builds: Record<string, () => void | Promise<void>> = {
  tree: () => stageTree(folder),
  deb() {
    const tree = join(folder, 'tree');
    stageTree(tree);
    console.log(relative('', writeDeb(tree, folder)));
    rmSync(tree, { recursive: true });
  },
  npm() {
    const tree = join(folder, 'npm');
    // It stays: `npm publish dist/npm`, once there is a licence and it is private no more.
    stageNpm(tree);
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: tree });
    console.log(relative('', join(folder, fileOf(packed.toString()))));
  },
  woocommerce() {
    const { slug, version, files } = pluginFiles();
    write(`${slug}-${version}.zip`, packZip(files));
  },
  whmcs() {
    const { version, files } = whmcsFiles();
    write(`milaan-whmcs-${version}.zip`, packZip(files));
  },
  sdk: async () => await writePacked(await buildSdk()),
  alerts: async () => await writePacked(await buildAlerts()),
  medusa: async () => await writePacked(await buildMedusa()),
  react: () => console.log(relative('', packPackage('sdk/react', folder))),
  n8n: () => console.log(relative('', packPackage('plugins/n8n', folder))),
};
const build = builds[what];
if (build) await build();
else {
  const known = Object.keys(builds).filter(name => name !== 'tree');
  console.error(`npm run -s package -- ${known.join(', ')}, or tree FOLDER`);
  process.exitCode = 1;
}

/** Named as npm names what it packs: @milaan/sdk lies in milaan-sdk-VERSION.tgz. */
async function writePacked(files: PackageFiles | null): Promise<void> {
  if (files === null) throw new Error('the compiler is not installed: run npm ci');
  const { name, version } = JSON.parse(files['package.json'] ?? '') as { name: string; version: string };
  write(`${name.replace('@', '').replace('/', '-')}-${version}.tgz`, await packFiles(files));
}

/** The name of what npm packed, by its own account. */
function fileOf(json: string): string {
  const [packed] = Object.values(JSON.parse(json) as Record<string, { filename: string }>);
  return packed!.filename;
}

function write(name: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
  console.log(relative('', join(folder, name)));
}
