import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeSettings } from '../../src/operator/commands/setup.ts';
import { nobodyListens } from '../support/checkout-site.ts';
import { runMilaan } from '../support/run-milaan.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { use } from '../support/use.ts';

const database = use(openTestDatabase);
const folder = mkdtempSync(join(tmpdir(), 'milaan-setup-'));
after(() => rmSync(folder, { recursive: true }));
const right = {
  'public-url': 'https://pay.example.in',
  name: 'Chai Point',
  email: 'owner@chai.example.in',
};

test('wrong answers leave no file that the corrected command would keep', async () => {
  const file = join(folder, 'milaan', 'milaan.env');
  const unknownUser = new URL(database.url);
  unknownUser.pathname = '/there_is_no_such_database';
  for (const [wrong, why] of [
    [{ 'public-url': 'pay.example.in', 'database-url': database.url }, /PUBLIC_URL must be the address/],
    [{ 'database-url': 'mysql://root@localhost/milaan' }, /DATABASE_URL must look like/],
    [{ 'database-url': nobodyListens }, /127\.0\.0\.1:1 cannot be reached/],
    [{ 'database-url': unknownUser.href }, /cannot be reached: .*"there_is_no_such_database" does not exist/],
  ] as const) {
    await assert.rejects(writeSettings(file, { ...right, ...wrong }), why);
    assert.ok(!existsSync(file), JSON.stringify(wrong));
    assert.ok(!existsSync(`${file}.new`), JSON.stringify(wrong));
  }
});

test('without a PostgreSQL on this machine setup says to install one, or to name another', async () => {
  const { PATH } = process.env;
  process.env['PATH'] = folder;
  try {
    await assert.rejects(
      writeSettings(join(folder, 'milaan.env'), right),
      /^Error: runuser: .*; install postgresql, or give --database-url$/,
    );
  } finally {
    process.env['PATH'] = PATH;
  }
});

test('the help of setup names the files that it writes', async () => {
  const { out } = await runMilaan({}, 'setup', '--help');
  assert.match(out, /^Settings: .*\/etc\/milaan\/milaan\.env.*\/root\/milaan-backup-key\.txt/m);
});
