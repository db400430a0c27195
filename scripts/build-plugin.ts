import { mkdirSync, writeFileSync } from 'node:fs';
import { packFiles } from '../src/developers/clients/pack-files.ts';
import { packZip } from '../src/developers/clients/pack-zip.ts';
import { pluginFiles } from '../src/developers/clients/plugin-files.ts';
import { buildMedusa } from './build-medusa.ts';

/**
 * `npm run -s plugin -- woocommerce` writes the zip that a shop owner uploads, `npm run -s plugin -- medusa` the
 * package that a Medusa project installs. Prints where it lies.
 */
const builds: Record<string, () => Promise<[name: string, bytes: Buffer]>> = {
  async woocommerce() {
    const { slug, version, files } = pluginFiles();
    return [`${slug}-${version}.zip`, packZip(files)];
  },
  async medusa() {
    const files = await buildMedusa();
    const { version } = JSON.parse(files['package.json'] ?? '') as { version: string };
    return [`milaan-medusa-${version}.tgz`, await packFiles(files)];
  },
};
const build = builds[process.argv[2] ?? ''];
if (!build) {
  console.error('usage: npm run -s plugin -- woocommerce | medusa');
  process.exit(1);
}
const [name, bytes] = await build();
mkdirSync('dist', { recursive: true });
writeFileSync(`dist/${name}`, bytes);
console.log(`dist/${name}`);
