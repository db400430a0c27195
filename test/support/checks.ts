import { spawn } from 'node:child_process';

/** The server's with tests and tools, and what runs elsewhere: in browsers, in a shop's own program. */
const projects = [
  '.',
  'src/orders/page/browser',
  'src/sandbox/browser',
  'src/dashboard/frame/browser',
  'src/dashboard/frame/browser/worker',
  'src/developers/docs-site/browser',
  'sdk',
  'sdk/react',
  'plugins/medusa',
];

/** The checks that `npm run check` runs, and `npm test` in addition to the tests; the fast ones first. */
const checks: [name: string, ...command: string[]][] = [
  ['prose', 'node', 'scripts/check-prose.ts'],
  ['style', 'biome', 'check', '.'],
  ['dead code', 'knip'],
  ['types', 'tsc', '--build', '--noEmit', ...projects],
];

/** One after the other; what each says is shown when it ends, and the names of those that failed are returned. */
export async function runChecks({ stopsAtFirst = false } = {}): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, ...command] of checks) {
    if (await passes(name, command)) continue;
    failed.push(name);
    if (stopsAtFirst) break;
  }
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
