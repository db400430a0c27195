import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';

/**
 * The nodes for n8n as plain JavaScript in plugins/n8n/dist, for `npm pack`. Their types are n8n's, which is not
 * installed here: the drill compiles and lints them with n8n's own tools.
 */
const folder = join(import.meta.dirname, '../plugins/n8n');
const dist = join(folder, 'dist');
rmSync(dist, { recursive: true, force: true });
for (const path of globSync('{credentials,nodes}/**/*.ts', { cwd: folder })) {
  const { code } = transformSync(readFileSync(join(folder, path), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'es2022',
  });
  const to = join(dist, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, code);
}
for (const path of globSync(['icons/*.svg', 'nodes/**/*.json'], { cwd: folder }))
  cpSync(join(folder, path), join(dist, path));
