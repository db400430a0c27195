#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, because an old Node must be able to read it: it only finds the right Node.
const oldestNode = 24;
const program = new URL('../src/cli.js', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= oldestNode) await import(program.href);
else await runWith(broughtNode());

/** The Node that npm installed with this package, if this machine has one. */
function broughtNode() {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return manifest.replace(/package\.json$/, isWindows ? 'bin/node.exe' : 'bin/node');
  } catch {
    console.error(
      `milaan: needs Node ${oldestNode} or newer, this is ${process.versions.node}, and npm brought none for ${process.platform} ${process.arch}`,
    );
    process.exit(1);
  }
}

async function runWith(node) {
  const follow = new URL('follow-parent.js', import.meta.url).href;
  // After `--`, Node leaves --env-file to us.
  const args = ['--import', follow, '--', fileURLToPath(program), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // A terminal also sends Ctrl-C to the child, and a second one would mean "at once". Signals that come only to us are
  // passed on.
  const isTold = signal => signal === 'SIGINT' && process.stdin.isTTY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => isTold(signal) || child.kill(signal));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...end) => resolve(end));
  });
  process.exit(code ?? (signal === null ? 1 : 128));
}
