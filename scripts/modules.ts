/** Prints the modules of src/ and how they hang together, of this checkout or of another: `node scripts/modules.ts [FOLDER]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  between,
  breachesOf,
  entryPoints,
  groupCircles,
  modules,
  readImports,
  subFolders,
} from './read-imports.ts';

const checkout = process.argv[2] ?? '.';
const imports = readImports(checkout, ['src']);
const linesOf = (path: string) => readFileSync(join(checkout, path), 'utf8').split('\n').length - 1;

/** A folder, or a single file, at the top of src/. */
const topOf = (path: string) => path.split('/')[1]!;
/** The same, with each sub-folder for itself. */
const placeOf = (path: string) => path.split('/').slice(1, -1).slice(0, 2).join('/') || topOf(path);

const found = new Set([...imports.keys()].map(topOf));
const ordered = [...modules, ...entryPoints].filter(module => found.has(module));
const unknown = groupCircles(between(imports, topOf))
  .flat()
  .filter(module => !ordered.includes(module));

for (const module of [...unknown, ...ordered]) {
  const files = [...imports.keys()].filter(path => topOf(path) === module);
  const lines = files.reduce((sum, path) => sum + linesOf(path), 0);
  console.log(
    `${module.padEnd(26)}${count(files.length)}${count(lines)}   ${subFoldersOf(module, files).join(' ')}`,
  );
}
const all = [...imports.keys()];
console.log(
  `${'together'.padEnd(26)}${count(all.length)}${count(all.reduce((sum, path) => sum + linesOf(path), 0))}\n`,
);
measure('modules', topOf);
measure('modules and sub-folders', placeOf);

const knots = [...circlesIn('src'), ...circlesIn('sdk')];
const breaches = breachesOf(imports);
console.log(`\n${knots.length} circles of files${list(knots)}`);
console.log(`${breaches.length} imports against the order${list(breaches)}`);
if (knots.length + breaches.length > 0) process.exitCode = 1;

/** In the order that is held, or else in one that can be read off the imports; those in a circle in brackets. */
function subFoldersOf(module: string, files: readonly string[]): string[] {
  const folders = between(new Map(files.map(path => [path, imports.get(path)!])), path => {
    const [, top, sub, ...below] = path.split('/');
    return top === module && below.length > 0 ? sub : undefined;
  });
  const held = subFolders[module]?.filter(sub => folders.has(sub)) ?? [];
  if (held.length === folders.size) return held;
  return groupCircles(folders).map(group => (group.length === 1 ? group[0]! : `(${group.join(' ')})`));
}

function measure(what: string, place: (path: string) => string): void {
  const arrows = between(imports, place);
  const groups = groupCircles(arrows);
  const floors = new Map<string, number>();
  for (const group of groups) {
    const below = group.flatMap(one => [...arrows.get(one)!]).filter(one => !group.includes(one));
    for (const one of group) floors.set(one, 1 + Math.max(0, ...below.map(other => floors.get(other)!)));
  }
  const tied = groups.filter(group => group.length > 1);
  const sum = [...arrows.values()].reduce((total, to) => total + to.size, 0);
  console.log(
    `${arrows.size} ${what} on ${Math.max(...floors.values())} floors, ${sum} arrows, ${tied.length} circles${tied.map(group => ` (${group.length > 4 ? `of ${group.length}` : group.join(' ')})`).join('')}`,
  );
}

function circlesIn(folder: string): string[] {
  return groupCircles(readImports(checkout, [folder]))
    .filter(group => group.length > 1)
    .map(group => group.join(' '));
}

function list(lines: readonly string[]): string {
  const shown = lines.length > 20 ? [...lines.slice(0, 20), '…'] : lines;
  return shown.map(line => `\n  ${line}`).join('');
}

function count(value: number): string {
  return value.toLocaleString('en').padStart(8);
}
