import { mkdirSync, writeFileSync } from 'node:fs';
import { pluginFiles } from './plugin-files.ts';
import { zipOf } from './zip-of.ts';

/** `npm run -s plugin -- woocommerce` writes the zip that a shop owner uploads, and prints where it lies. */
const name = process.argv[2];
if (name !== 'woocommerce') {
  console.error('usage: npm run -s plugin -- woocommerce');
  process.exit(1);
}
const { slug, version, files } = pluginFiles();
const path = `dist/${slug}-${version}.zip`;
mkdirSync('dist', { recursive: true });
writeFileSync(path, zipOf(files));
console.log(path);
