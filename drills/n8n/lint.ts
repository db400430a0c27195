import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../play-drill.ts';

const tools = ['@n8n/node-cli@0.48.3', 'eslint@9', 'typescript@5', 'n8n-workflow', '@types/node@24'];

/** n8n's own tools, in a folder of their own that is used again. */
export function installTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, 'node_modules/@n8n/node-cli'))) return;
  writeFileSync(join(folder, 'package.json'), '{ "name": "n8n-tools", "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, ...tools], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The package as it would be published: with a licence, and not private. */
export function lint(stage: Stage, folder: string): void {
  const copy = join(stage.folder, 'n8n-nodes-milaan');
  cpSync('plugins/n8n', copy, { recursive: true, filter: path => !path.includes('/dist') });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  delete manifest.private;
  // The one thing that it asks for and we do not have yet: the owner chooses the licence.
  manifest.license = 'MIT';
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest, null, 2));
  symlinkSync(join(folder, 'node_modules'), join(copy, 'node_modules'));
  for (const [claim, tool, ...args] of [
    ['the nodes fit n8n’s own types', 'tsc', '--noEmit', '-p', '.'],
    ['n8n’s own linter finds nothing, once there is a licence', 'eslint', '.'],
  ] as const) {
    try {
      execFileSync(process.execPath, [join(folder, 'node_modules/.bin', tool), ...args], {
        cwd: copy,
        encoding: 'utf8',
      });
      stage.see(claim, true);
    } catch (error) {
      stage.see(claim, false, String((error as { stdout?: string }).stdout));
    }
  }
}
