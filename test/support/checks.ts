import { spawn } from 'node:child_process';

/** What `npm run check` runs, and `npm test` beside the tests. */
const checks: [name: string, ...command: string[]][] = [
  ['types', 'tsc', '--noEmit'],
  ['types in the browser', 'tsc', '--noEmit', '-p', 'src/orders/page/browser'],
  ["types in the sandbox's bar", 'tsc', '--noEmit', '-p', 'src/sandbox/browser'],
  ['types in the dashboard', 'tsc', '--noEmit', '-p', 'src/dashboard/frame/browser'],
  ['types in the service worker', 'tsc', '--noEmit', '-p', 'src/dashboard/frame/browser/worker'],
  ["types in the documentation's script", 'tsc', '--noEmit', '-p', 'src/developers/docs-site/browser'],
  ['types of the SDK', 'tsc', '--noEmit', '-p', 'sdk'],
  ['types of the provider for Medusa', 'tsc', '--noEmit', '-p', 'plugins/medusa'],
  ['style', 'biome', 'check', '.'],
  ['dead code', 'knip'],
];

/** One after the other; what each says is shown when it ends, and the names of those that failed are returned. */
export async function runChecks(): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, ...command] of checks) if (!(await passes(name, command))) failed.push(name);
  return failed;
}

async function passes(name: string, [command = '', ...args]: string[]): Promise<boolean> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  console.log(`check: ${name}${code === 0 ? '' : ' FAILED'}\n${said}`.trimEnd());
  return code === 0;
}
