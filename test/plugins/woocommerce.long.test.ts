import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { packZip } from '../../src/developers/clients/pack-zip.ts';
import { pluginFiles } from '../../src/developers/clients/routes.ts';
import { needs } from '../support/needs.ts';

const run = promisify(execFile);
const { files, version } = pluginFiles();
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'milaan-plugin-'));
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

needs('PHP').test('every PHP file of the packed plugin parses', async () => {
  const scripts = [...files.keys()].filter(name => name.endsWith('.php'));
  assert.ok(scripts.length > 15);
  await Promise.all(scripts.map(name => run('php', ['-l', join(folder, name)])));
});

needs('PHP').test('the rules of the plugin hold in plain PHP', async t => {
  const { stdout } = await run('php', [
    '-d',
    'error_reporting=-1',
    '-d',
    'display_errors=stderr',
    'test/plugins/woocommerce/unit.php',
    join(folder, 'milaan-upi'),
  ]);
  const claims = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { name: string; problem: string | null });
  assert.ok(claims.length > 25, `${claims.length} claims were tried`);
  for (const { name, problem } of claims) await t.test(name, () => assert.equal(problem, null));
});

needs('Python').test('the zip holds exactly these files, and is the same each time', async () => {
  const zip = join(folder, 'plugin.zip');
  writeFileSync(zip, packZip(files));
  assert.deepEqual(packZip(pluginFiles().files), readFileSync(zip));
  const list =
    'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))';
  const { stdout } = await run('python3', ['-c', list, zip]);
  assert.deepEqual(stdout.trim().split('\n'), [...files.keys()]);
  assert.deepEqual(files.get('milaan-upi/includes/Milaan.php'), readFileSync('sdk/php/Milaan.php'));
});

test('every package has the same version', () => {
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.match(
    files.get('milaan-upi/milaan-upi.php')!.toString(),
    new RegExp(`const VERSION = '${version}'`),
  );
  assert.match(files.get('milaan-upi/readme.txt')!.toString(), new RegExp(`^Stable tag: ${version}$`, 'm'));
  assert.ok(readFileSync('docs/woocommerce.md', 'utf8').includes(`/sdk/milaan-upi-${version}.zip`));
});

/** Every text that the plugin asks WordPress to translate. */
function texts(): string[] {
  const sources = globSync('plugins/woocommerce/**/*.php').map(path => readFileSync(path, 'utf8'));
  const calls = sources.flatMap(source => [
    ...source.matchAll(/\b(?:esc_html__|__)\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g),
  ]);
  return calls.map(([, text = '']) => text.slice(1, -1).replaceAll(/\\(['"])/g, '$1'));
}

needs('PHP').test(
  'every text of the plugin has its Hindi, with the same places for sums and names',
  async () => {
    const file = 'plugins/woocommerce/languages/milaan-upi-hi_IN.l10n.php';
    const { stdout } = await run('php', ['-r', `echo json_encode(include '${file}');`]);
    const hindi = new Map(
      Object.entries((JSON.parse(stdout) as { messages: Record<string, string> }).messages),
    );
    const places = (text: string) => [...text.matchAll(/%(?:\d\$)?[sd]/g)].map(([place]) => place).sort();
    assert.ok(texts().length > 50);
    for (const text of new Set(texts())) {
      assert.match(hindi.get(text) ?? '', /[\u0900-\u097f]/, text);
      assert.deepEqual(places(hindi.get(text)!), places(text), text);
    }
    assert.deepEqual(
      [...hindi.keys()].filter(text => !texts().includes(text)),
      [],
      'no Hindi without its text',
    );
  },
);
