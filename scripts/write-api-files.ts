import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCollection, wholeDocument } from './make-collection.ts';
import { makeOpenapi } from './make-openapi.ts';

/** `npm run docs`, after a change of the API. A test says when it was forgotten. */
const files = { 'openapi.json': makeOpenapi(), 'collection.json': makeCollection(wholeDocument()) };
for (const [name, content] of Object.entries(files))
  writeFileSync(join(import.meta.dirname, '../docs', name), `${JSON.stringify(content, null, 2)}\n`);
