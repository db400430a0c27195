import { existsSync } from 'node:fs';

/** The digest of what was packed as it is: there are no sources beside it that could have changed. */
export const asPacked = 'packed';

/** Where built things are kept: beside the packages, where only those who may change the code may write; in an npm package, in it. */
export function builtFolder(): URL {
  const packed = new URL('../../built/', import.meta.url);
  return existsSync(packed) ? packed : new URL('../../node_modules/.cache/milaan/', import.meta.url);
}
