import { globSync, statSync } from 'node:fs';

/**
 * The test files that arguments name: a file, a folder with all of one tier below it, or a pattern. A folder without
 * a test of the tier gives those of the other one.
 */
export function namedFiles(names: readonly string[], isLong: boolean): string[] {
  const files = names.flatMap(name => {
    const isFolder = statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder && !/[*?{[]/.test(name)) return [name];
    const found = globSync(isFolder ? `${name.replace(/\/+$/, '')}/**/*.test.ts` : name).sort();
    const ofTier = isFolder ? found.filter(file => file.endsWith('.long.test.ts') === isLong) : found;
    if (found.length === 0) throw new Error(`no test file is in ${name}, or fits it`);
    return ofTier.length > 0 ? ofTier : found;
  });
  for (const file of files)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new Error(`there is no test file ${file}`);
  return [...new Set(files)];
}
