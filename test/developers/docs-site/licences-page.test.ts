import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { licencesPage } from '../../../scripts/licences-page.ts';

const page = licencesPage(JSON.parse(readFileSync('package-lock.json', 'utf8')));

test('the page of licences says what the lock file says: after a change, `npm run docs`', () => {
  assert.equal(readFileSync('docs/licences.md', 'utf8'), page);
});

test('no package that goes along names a licence which asks for ours', () => {
  const free = /^(?:\(?(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0)(?: OR [^)]+\))?)$/;
  for (const licence of page.match(/(?<=^### ).*/gm)!) assert.match(licence, free);
});
