import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig } from '../../../src/base/settings/config.ts';

test('a name in the settings file that is no setting is a warning, and each known name is none', () => {
  const warningsOf = (fileNames: string[], meant: 'live' | 'sandbox') => {
    const read = readConfig([], {}, { file: '/etc/milaan/milaan.env', fileNames, meant });
    return ('config' in read ? read.config : read.partly).warnings;
  };
  const known = readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm);
  const names = [...known].map(match => match[1]!);
  const half = readConfig([], { SECRET_KEY: '11'.repeat(32) }, { file: 'x.env', fileNames: ['PUBLIC_URI'] });
  assert.match(
    'problems' in half ? half.problems.join('; ') : '',
    /missing: PUBLIC_URL.*x.env has.*: PUBLIC_URI$/,
  );
  for (const mode of ['live', 'sandbox'] as const) {
    assert.deepEqual(warningsOf(names, mode), []);
    assert.deepEqual(warningsOf([...names, 'SMPT_URL', 'Mail_From'], mode), [
      '/etc/milaan/milaan.env has unknown settings, which are ignored: SMPT_URL, Mail_From',
    ]);
  }
});
