import { spawnSync } from 'node:child_process';

/** The oldest Node that shops are promised. */
const oldestNode = 20;

/**
 * The machine's own Node where it is one that shops may have, older than ours; else ours. npm puts our Node first on the
 * path, so it is looked for behind it.
 */
export function olderNode(): { path: string; version: string } {
  const folders = (process.env['PATH'] ?? '').split(':').filter(folder => !folder.includes('node_modules'));
  for (const folder of folders) {
    const { stdout } = spawnSync(`${folder}/node`, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)\./.exec(stdout ?? '')?.[1]);
    if (major >= oldestNode) return { path: `${folder}/node`, version: stdout.trim() };
  }
  return { path: process.execPath, version: process.version };
}
