import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { Mode } from './config-values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Settings = ReturnType<typeof findSettings>;

/** Three names make an installation live, all of them or none. */
export const liveNames = ['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY'] as const;

/** Where a file is looked for when none is named: beside package.json, then where packages put it. */
const usualPlaces = [fileURLToPath(new URL('../../../.env', import.meta.url)), '/etc/milaan/milaan.env'];

/**
 * The environment, and under it one file: the one that `--env-file` names, else the first that exists. The
 * same for the program and for every command, however it is started. A file that is there and cannot be
 * read is a problem: to go on without would be to work on another installation.
 */
export function findSettings(
  given: readonly string[],
  environment: Environment,
  places: readonly string[] = usualPlaces,
) {
  const problems: string[] = [];
  const { args, named, meant } = ownWords(given, problems);
  const file = readFirst(named === undefined ? places : [named], named !== undefined, problems);
  const env: Environment = { ...file?.values, ...withoutEmpty(environment) };
  const isLiveHere = [...liveNames, 'CELLS_FILE'].some(name => environment[name]?.trim());
  const from = [
    ...(isLiveHere ? ['the environment'] : []),
    ...(file && file.path !== '/dev/null' ? [file.path] : []),
  ];
  return {
    env,
    meant,
    file: file?.path ?? null,
    /** Where the settings that make an installation came from, in words. */
    from:
      from.join(' and ') ||
      `none (looked at ${['the environment', ...(named === undefined ? places : [])].join(', ')})`,
    args,
    problems,
  };
}

function ownWords(given: readonly string[], problems: string[]) {
  const args: string[] = [];
  let named: string | undefined;
  const modes = new Set<Mode>();
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    if (word === '--sandbox') modes.add('sandbox');
    else if (word === '--live') modes.add('live');
    else if (word === '--env-file') named = given[++at] ?? '';
    else if (word.startsWith('--env-file=')) named = word.slice('--env-file='.length);
    else args.push(word);
  }
  if (named === '') problems.push('--env-file needs a file');
  if (modes.size > 1) problems.push('--live and --sandbox exclude each other');
  const [meant = null] = modes;
  return { args, named: named || undefined, meant };
}

function readFirst(places: readonly string[], isNamed: boolean, problems: string[]) {
  for (const path of places) {
    try {
      return { path, values: parseEnv(readFileSync(path, 'utf8')) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !isNamed) continue;
      problems.push(`the settings in ${path} cannot be read: ${(error as Error).message}`);
      return null;
    }
  }
  return null;
}

/** A name that is set to nothing says nothing: it does not hide what the file says. */
function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}
