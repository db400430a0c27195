import assert from 'node:assert/strict';
import { execFileSync, execSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const [, list = ''] =
  /^## Good first changes\n([\s\S]*?)^## /m.exec(readFileSync('docs/internals/texts.md', 'utf8')) ?? [];
const named = [...list.matchAll(/`([^`]+)`\.$/gm)].map(([, command = '']) => command);

test('each good first change is still open: its command lists something', () => {
  assert.equal(named.length, 4);
  for (const command of named) {
    const said = existsSync(command)
      ? readFileSync(command, 'utf8')
      : command.startsWith('npx node ')
        ? execFileSync(process.execPath, command.split(' ').slice(2), { encoding: 'utf8' })
        : execSync(command, { encoding: 'utf8' });
    assert.ok(said.trim().split('\n').length > 1, command);
  }
});
