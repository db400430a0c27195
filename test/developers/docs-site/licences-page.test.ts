import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { licencesPage } from '../../../scripts/licences-page.ts';

const page = licencesPage(JSON.parse(readFileSync('package-lock.json', 'utf8')));

test('the page of licences matches the lock file: after a change, `npm run docs`', () => {
  assert.equal(readFileSync('docs/licences.md', 'utf8'), page);
});

test('no shipped package has a licence that imposes itself on ours', () => {
  const free = /^(?:\(?(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0)(?: OR [^)]+\))?)$/;
  for (const licence of page.match(/(?<=^### ).*/gm)!) assert.match(licence, free);
});
