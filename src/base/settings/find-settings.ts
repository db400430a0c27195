import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Mode = 'live' | 'sandbox';

export type Settings = ReturnType<typeof findSettings>;

/** All three make an installation live; only some of them is a mistake. */
export const liveNames = ['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY'] as const;

/** The places of the settings file if none is named: next to package.json, then where packages put it. */
const usualPlaces = [fileURLToPath(new URL('../../../.env', import.meta.url)), '/etc/milaan/milaan.env'];

/**
 * Reads the environment, and for what it lacks one file: `--env-file`, else the first that exists. The program and
 * every command use the same rule. An unreadable file is a problem, because going on without it would mean another
 * installation.
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
    fileNames: Object.keys(file?.values ?? {}),
    /** The source of the three settings, in words. */
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

/** Ignores empty variables, so that they do not hide the file's values. */
function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}
