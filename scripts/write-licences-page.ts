import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licencesPage } from './licences-page.ts';

const root = join(import.meta.dirname, '..');

/** `npm run docs`, after a change of a dependency. A test says when it was forgotten. */
writeFileSync(
  join(root, 'docs/licences.md'),
  licencesPage(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))),
);
