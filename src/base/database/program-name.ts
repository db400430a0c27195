import { version } from '../version.ts';
import { migrationNames } from './migration-files.ts';

/** The newest migration distinguishes two builds of one version. */
export type Program = { version: string; schema: number };

/** Release 0.1.0 did not report its version. */
const firstRelease: Program = { version: '0.1.0', schema: 0 };

let own: string | undefined;

/** Returns for example `0.2.0 (0036)`. */
export function programVersion(): string {
  own ??= `${version} (${migrationNames().at(-1)?.slice(0, 4)})`;
  return own;
}

/** For example `milaan 0.2.0 (0036) web`. PostgreSQL cuts it after 63 bytes. */
export function connectionName(part: string): string {
  return `milaan ${programVersion()} ${part}`;
}

/** Returns the program behind a connection name; null if it is not ours. */
export function readConnectionName(name: string): Program | null {
  if (name === 'milaan') return firstRelease;
  return name.startsWith('milaan ') ? readProgramVersion(name.slice('milaan '.length)) : null;
}

export function isThisProgram({ version, schema }: Program): boolean {
  return programVersion() === `${version} (${String(schema).padStart(4, '0')})`;
}

/** Builds that name no migration are older than this format. */
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

/** Returns whether one is the same release as the other or directly precedes it. Migrations only support those. */
export function isReleaseBefore(older: string, newer: string): boolean {
  const [[major, minor], [newMajor, newMinor]] = [older, newer].map(text => text.split('.').map(Number)) as [
    [number, number],
    [number, number],
  ];
  return major === newMajor && newMinor - minor <= 1;
}
