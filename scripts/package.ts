import { rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stageTree } from './package/stage-tree.ts';
import { writeDeb } from './package/write-deb.ts';

/**
 * `npm run -s package -- deb` writes dist/milaan_VERSION_ARCHITECTURE.deb and prints its name; `-- tree FOLDER` writes
 * the tree alone, as the image takes it.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [what, given = 'dist'] = positionals;
// Commands are run inside the tree: a relative name would mean another place there.
const folder = resolve(given);
if (what === 'tree') stageTree(folder);
else if (what === 'deb') {
  const tree = join(folder, 'tree');
  stageTree(tree);
  console.log(relative('', writeDeb(tree, folder)));
  rmSync(tree, { recursive: true });
} else {
  console.error('npm run -s package -- deb, or tree FOLDER');
  process.exitCode = 1;
}
