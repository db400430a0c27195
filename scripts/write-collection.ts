import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCollection, wholeDocument } from './make-collection.ts';

/** `npm run docs`, after a change of the API. A test says when it was forgotten. */
writeFileSync(
  join(import.meta.dirname, '../docs/collection.json'),
  `${JSON.stringify(makeCollection(wholeDocument()), null, 2)}\n`,
);
