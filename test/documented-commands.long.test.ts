import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { minute } from '../src/base/clock.ts';

const papers = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'sdk/**/*.md', 'plugins/**/*.md'], {
  exclude: ['**/node_modules/**'],
});
/** Each command with its first document. A comment or the end of the code ends it. */
const commands = new Map(
  papers.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/npm test -- ([^`\n#;]+)/g)].map(
      ([, args = '']) => [args.trim(), file] as const,
    ),
  ),
);

assert.ok(commands.size > 5, String(commands.size));
for (const [args, file] of commands)
  test(`npm test -- ${args} (${file})`, () => {
    // Once is enough to see that the command is right.
    const once = args.replace(/--times=\d+ --load=\d+/, '--times=1 --load=1');
    const { MILAAN_TEST_SERVER: _, MILAAN_TEST_BROWSER: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `node test/run.ts ${once}`], {
      env: { ...env, PATH: `node_modules/.bin:${env['PATH']}` },
      encoding: 'utf8',
      timeout: 3 * minute,
    });
    assert.equal(status, 0, `${stdout}\n${stderr}`.slice(-3000));
    assert.match(stdout, /\n[1-9]\d* passed, 0 failed\n|clean rounds/);
  });
