import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packFiles } from '../src/developers/clients/pack-files.ts';
import { packZip } from '../src/developers/clients/pack-zip.ts';
import { pluginFiles } from '../src/developers/clients/plugin-files.ts';
import { buildMedusa } from './build-medusa.ts';
import { packPackage } from './pack-package.ts';
import { stageTree } from './package/stage-tree.ts';
import { writeDeb } from './package/write-deb.ts';
import { whmcsFiles } from './whmcs-files.ts';

/**
 * `npm run -s package -- deb` writes dist/milaan_VERSION_ARCHITECTURE.deb, `woocommerce` the zip that a shop owner
 * uploads, `whmcs` the zip that is unpacked over a WHMCS, `medusa`, `react` and `n8n` the packages that npm installs:
 * each prints where it lies. `tree FOLDER` writes the tree of the package alone, as the image takes it.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [what = '', given = 'dist'] = positionals;
// Commands are run inside the tree: a relative name would mean another place there.
const folder = resolve(given);

const builds: Record<string, () => void | Promise<void>> = {
  tree: () => stageTree(folder),
  deb() {
    const tree = join(folder, 'tree');
    stageTree(tree);
    console.log(relative('', writeDeb(tree, folder)));
    rmSync(tree, { recursive: true });
  },
  woocommerce() {
    const { slug, version, files } = pluginFiles();
    write(`${slug}-${version}.zip`, packZip(files));
  },
  async medusa() {
    const files = await buildMedusa();
    const { version } = JSON.parse(files['package.json'] ?? '') as { version: string };
    write(`milaan-medusa-${version}.tgz`, await packFiles(files));
  },
  whmcs() {
    const { version, files } = whmcsFiles();
    write(`milaan-whmcs-${version}.zip`, packZip(files));
  },
  react: () => console.log(relative('', packPackage('sdk/react', folder))),
  n8n: () => console.log(relative('', packPackage('plugins/n8n', folder))),
};
const build = builds[what];
if (build) await build();
else {
  console.error('npm run -s package -- deb, woocommerce, whmcs, medusa, react, n8n, or tree FOLDER');
  process.exitCode = 1;
}

function write(name: string, bytes: Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
  console.log(relative('', join(folder, name)));
}
