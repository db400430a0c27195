import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alarmsPage, rulesFile } from './alarm-files.ts';

/** `npm run docs`, after a change of an alarm. A test says when it was forgotten. */
const root = join(import.meta.dirname, '..');
writeFileSync(join(root, 'packaging/prometheus/milaan.rules.yml'), rulesFile());
writeFileSync(join(root, 'docs/alarms.md'), alarmsPage());
