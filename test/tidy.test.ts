import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import {
  breachesOf,
  entryPoints,
  groupCircles,
  modules,
  readImports,
  subFolders,
} from '../scripts/read-imports.ts';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '' && existsSync(path));
const sources = tracked.filter(path => /^src\/.*\.ts$/.test(path));
const read = (path: string) => readFileSync(path, 'utf8');

const imports = readImports('.', ['src']);

test('a module imports only modules before it, a sub-folder only sub-folders before it, and nobody an entry point', () => {
  assert.deepEqual(breachesOf(imports), []);
  const unordered = [...imports.keys()].filter(path => {
    const [, module = '', sub = '', ...below] = path.split('/');
    if (entryPoints.includes(module)) return false;
    return !modules.includes(module) || (below.length > 0 && !(subFolders[module]?.includes(sub) ?? true));
  });
  assert.deepEqual(unordered, []);
});

test('STYLE.md names the modules in their order', () => {
  const paper = read('STYLE.md');
  const inOneLine = new RegExp(modules.map(module => `\\b${module}\\b`).join('.*'));
  const listed = [...paper.matchAll(/^(?:[-*|] |\d+\. |\s+)[`*]*([a-z-]+)\b/gm)].map(([, name]) => name!);
  if (!inOneLine.test(paper))
    assert.deepEqual(
      listed.filter(name => modules.includes(name)),
      modules,
    );
});

test('the mail checker imports only itself, texts and base, and neither the world nor the database', () => {
  const judges = /^src\/alerts\/(?:(?:mail|origin|banks|reading)\/|judging\/judge-mail\.ts$)/;
  const ground = /^src\/(?:texts|base(?!\/world\.ts$|\/database\/))\//;
  const breaches = [...imports]
    .filter(([path]) => judges.test(path))
    .flatMap(([path, targets]) =>
      targets.filter(to => !judges.test(to) && !ground.test(to)).map(to => `${path} imports ${to}`),
    );
  assert.deepEqual(breaches, []);
});

test('no files import each other in a circle', () => {
  const circles = [imports, readImports('.', ['sdk']), readImports('.', ['test', 'drills', 'bench'])].flatMap(
    graph => groupCircles(graph).filter(group => group.length > 1),
  );
  assert.deepEqual(circles, []);
});

test('the wall clock is read in src/base/clock.ts alone', () => {
  const browser = (path: string) => path.includes('/browser/');
  const readers = sources.filter(
    path =>
      path !== 'src/base/clock.ts' &&
      !browser(path) &&
      /\bDate\.now\(\)|new Date\(\)|\bperformance\.now\(\)/.test(read(path)),
  );
  assert.deepEqual(readers, []);
});

test('the environment is read in src/base/settings/config.ts alone', () => {
  assert.deepEqual(
    sources.filter(path => path !== 'src/base/settings/config.ts' && /process\.env/.test(read(path))),
    [],
  );
});

test('SQL takes the moment as a parameter: no now() in queries', () => {
  const askers = sources.filter(path =>
    /\bnow\(\)::|[^.\w]now\(\)\s*(?:-|\+|<|>|,)|current_timestamp/.test(
      read(path).replaceAll(/clock\.now\(\)/g, ''),
    ),
  );
  assert.deepEqual(askers, []);
});

test('no file is named utils or the like', () => {
  const vague = /^(utils?|helpers?|common|misc|shared|types|index)\.[cm]?[tj]sx?$/;
  assert.deepEqual(
    tracked.filter(path => vague.test(basename(path))),
    [],
  );
});

test('no file of ours is longer than 300 lines', () => {
  assert.deepEqual(
    tracked.filter(
      path => /^(?:src|test|sdk|bench)\/.*\.ts$/.test(path) && read(path).split('\n').length > 301,
    ),
    [],
  );
});

test('a verb takes the transaction as an argument, and builds no world around one', () => {
  assert.deepEqual(
    sources.filter(path =>
      /as unknown as (World|Sql)\b|\bsql: tx\b|\.\.\.world, (?:sql|clock|banks)\b/.test(read(path)),
    ),
    [],
  );
});

test('a file with one exported function has that function’s name', () => {
  const kebab = (name: string) =>
    name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replace(/^-/, '');
  const misnamed = sources.filter(path => {
    if (/\/(?:queries|texts)\/|\/(?:queries|routes)\.ts$|\.d\.ts$/.test(path)) return false;
    const text = read(path);
    if ([...text.matchAll(/^export (?:async )?function/gm)].length !== 1) return false;
    const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm)].map(
      ([, name = '']) => kebab(name),
    );
    const base = basename(path, '.ts');
    return ![base, `${base}-command`, `${base}-routes`].some(name => names.includes(name));
  });
  assert.deepEqual(misnamed, []);
});

test('.env.example names exactly the settings that the program reads', () => {
  const readers = sources.filter(path => /^src\/base\/settings\/[\w-]+\.ts$/.test(path));
  const inConfig = new Set(
    [
      ...readers
        .map(read)
        .join('')
        .matchAll(/(?<=\(\s*|_ID', )'([A-Z][A-Z0-9_]+)'/g),
    ].map(match => match[1]),
  );
  const inExample = new Set(
    [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(match => match[1]),
  );
  assert.deepEqual([...inExample].sort(), [...inConfig].sort());
});

test('ARCHITECTURE.md names the modules in order, its page of submodules those, and neither a deleted file', () => {
  const paper = read('ARCHITECTURE.md');
  const rows = [...paper.matchAll(/^\d+\. `(\w+)\/`: /gm)];
  assert.deepEqual(
    rows.map(([, module]) => module),
    modules,
  );
  const page = read('docs/internals/modules.md');
  const lists = [...page.matchAll(/^- `(\w+)\/`: (.*)$/gm)];
  assert.deepEqual(
    lists.map(([, module]) => module),
    modules,
  );
  for (const [, module = '', parts = ''] of lists) {
    const named = [...parts.matchAll(/`([\w-]+)\/`/g)].map(([, part]) => part);
    assert.deepEqual(named, subFolders[module] ?? ['browser'], module);
  }
  const named = [...`${paper}${page}`.matchAll(/`([\w-]+(?:\/[\w-]+)*\.ts)`/g)].map(([, path]) => path!);
  assert.deepEqual(
    named.filter(path => !existsSync(`src/${path}`) && !existsSync(path)),
    [],
  );
});

test('every decision is in the index of decisions', () => {
  const index = read('docs/decisions/README.md');
  const records = tracked.filter(path => /^docs\/decisions\/\d/.test(path)).map(path => basename(path));
  assert.deepEqual(
    records.filter(name => !index.includes(`](${name})`)),
    [],
  );
});

test('every migration gives its purpose in its first line', () => {
  for (const path of tracked.filter(path => path.startsWith('migrations/'))) {
    assert.match(read(path), /^-- [A-Z].*\.\n/, path);
  }
});

test('every start of the program gives young objects the same space', () => {
  const starters = tracked.filter(path =>
    /^(?:package\.json|Containerfile|packaging\/systemd\/.*)$/.test(path),
  );
  const starts = starters
    .flatMap(path => read(path).split('\n'))
    .filter(line => line.includes('src/main.ts'));
  assert.equal(starts.length, 5);
  assert.deepEqual(
    starts.filter(line => !line.includes('--max-semi-space-size=16')),
    [],
  );
});

test('no test is skipped or focused, and nothing is marked as to do', () => {
  const skipped = /\b(?:test|it|describe)\.(?:skip|only|todo)\(|\bTO[D]O\b|\bFIXM[E]\b|\bXX[X]\b/;
  assert.deepEqual(
    tracked.filter(path => /\.(ts|sql|css|md)$/.test(path) && skipped.test(read(path))),
    [],
  );
});

test('a test that starts a program outside npm declares that it needs it', () => {
  const starts = {
    Chromium: /\b(?:openBrowser|openWidgetStage|useBusyBrowser)\(/,
    Dovecot: /\b(?:startDovecot|launchDovecot|openLiveShop)\(/,
    PgBouncer: /\bstartPgBouncer\(/,
    Postfix: /\bstartPostfix\(/,
  };
  const silent = tracked
    .filter(path => path.endsWith('.test.ts'))
    .flatMap(path =>
      Object.entries(starts)
        .filter(
          ([name, call]) => call.test(read(path)) && !new RegExp(`needs\\([^)]*'${name}'`).test(read(path)),
        )
        .map(([name]) => `${path}: ${name}`),
    );
  assert.deepEqual(silent, []);
});

test('a file that opens resources by use() has no plain before, which would not wait for them', () => {
  const mixed = tracked.filter(
    path =>
      /^test\/.*\.ts$/.test(path) && /\b(?:use|prepare)\(/.test(read(path)) && /^before\(/m.test(read(path)),
  );
  assert.deepEqual(mixed, []);
});

test('the lock files have no host name', () => {
  for (const path of tracked.filter(one => one.endsWith('package-lock.json')))
    assert.ok(!/"resolved"/.test(read(path)), path);
});

test('npm ci installs few packages: what one drill needs is in its own package file', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; os?: string[] }>;
  };
  // A machine installs few of the packages that are for one system only.
  const everywhere = Object.values(packages).filter(({ os }) => os === undefined);
  const shipped = everywhere.filter(({ dev }) => !dev);
  const most = { everywhere: 241 * 1.1, shipped: 191 * 1.1 };
  assert.ok(everywhere.length < most.everywhere, `${everywhere.length} packages for a developer`);
  assert.ok(shipped.length < most.shipped, `${shipped.length} packages for an installation`);
});

test('packages, plugins, clients and the pages about them have the program’s version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const places = /^(?:docs\/[^/]+\.md|(?:sdk|plugins)\/.*\.(?:json|md|js|php|py|txt))$/;
  const said =
    /(?:"(?:version|@milaan\/sdk)": "|\bVersion: |VERSION = '|__version__ = "|Stable tag: |name: 'milaan', version: '|\bmilaan(?:-[a-z]+)?[-_])(\d+\.\d+\.\d+)/g;
  const named = tracked
    .filter(path => places.test(path))
    .flatMap(path => [...read(path).matchAll(said)].map(([, one]) => `${path}: ${one}`));
  assert.deepEqual(
    named.filter(one => !one.endsWith(`: ${version}`)),
    [],
  );
});
