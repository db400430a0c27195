import { statSync } from 'node:fs';

/**
 * Those that take longest, measured, so that the end of a run is not one long file alone. What is not listed follows,
 * larger files first.
 */
const slowest: readonly string[] = [];

export function slowestFirst(files: readonly string[]): string[] {
  const rest = files.filter(file => !slowest.includes(file));
  const sizes = new Map(rest.map(file => [file, statSync(file).size]));
  return [
    ...slowest.filter(file => files.includes(file)),
    ...rest.sort((one, other) => sizes.get(other)! - sizes.get(one)!),
  ];
}
