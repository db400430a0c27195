import { version } from '../version.ts';
import { migrationNames } from './migration-files.ts';

/** A version, and the newest migration that came with it: two builds of one version can tell each other apart. */
export type Program = { version: string; schema: number };

/** The release that told nobody its version. */
const firstRelease: Program = { version: '0.1.0', schema: 0 };

let own: string | undefined;

/** This program, as `0.2.0 (0036)`. */
export function programVersion(): string {
  own ??= `${version} (${migrationNames().at(-1)?.slice(0, 4)})`;
  return own;
}

/** What a connection says of itself: `milaan 0.2.0 (0036) web`. PostgreSQL cuts it after 63 bytes. */
export function connectionName(part: string): string {
  return `milaan ${programVersion()} ${part}`;
}

/** Who is behind a connection of this name; null when it is none of ours. */
export function readConnectionName(name: string): Program | null {
  if (name === 'milaan') return firstRelease;
  return name.startsWith('milaan ') ? readProgramVersion(name.slice('milaan '.length)) : null;
}

export function isThisProgram({ version, schema }: Program): boolean {
  return programVersion() === `${version} (${String(schema).padStart(4, '0')})`;
}

/** One that names no migration is of a build before it was told. */
export function readProgramVersion(text: string): Program | null {
  const found = /^(\d+\.\d+\.\d\S*)(?: \((\d{4})\))?/.exec(text);
  return found ? { version: found[1]!, schema: Number(found[2] ?? 0) } : null;
}

export function isOlder(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map(text => text.split(/[.-]/, 3).map(Number)) as [number[], number[]];
  const different = mine.findIndex((number, place) => number !== theirs[place]);
  if (different !== -1) return mine[different]! < theirs[different]!;
  // 0.3.0-rc.1 comes before 0.3.0.
  return one.includes('-') && !other.includes('-');
}

/** Whether one is of the release directly before the other, or of the same: all that a migration promises anything to. */
export function isReleaseBefore(older: string, newer: string): boolean {
  const [[major, minor], [newMajor, newMinor]] = [older, newer].map(text => text.split('.').map(Number)) as [
    [number, number],
    [number, number],
  ];
  return major === newMajor && newMinor - minor <= 1;
}
