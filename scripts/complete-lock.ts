import { readFileSync, writeFileSync } from 'node:fs';

/**
 * npm omits other platforms' optional packages from the lock file if the registry lacks them, and then `npm ci` refuses
 * the lock as incomplete. This adds an entry for each; its platform makes npm skip it everywhere else. Run it after
 * `npm install` (`npm run lock`).
 */
type Entry = {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> };
const added: string[] = [];

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(place === '' ? {} : (entry.optionalDependencies ?? {}))) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] || lock.packages[`${place}/${key}`]) continue;
    lock.packages[key] = entryFor(name, version, entry.dev === true);
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'the lock file is complete' : `added: ${added.join(', ')}`);

function entryFor(name: string, version: string, isDev: boolean): Entry {
  const os = /android|darwin|freebsd|netbsd|openbsd|openharmony|sunos|aix|win32|windows|linux/.exec(
    name,
  )?.[0];
  const cpu = /(?<=-)(?:arm64|arm|ppc64|riscv64|s390x|ia32|x64|loong64|mips64el|wasm32)/.exec(name)?.[0];
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined;
  return {
    version: version.replace(/^[~^]/, ''),
    ...(cpu && { cpu: [cpu] }),
    ...(isDev && { dev: true }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os === 'windows' ? 'win32' : os] }),
  };
}
