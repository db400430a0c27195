import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '../../../src/base/clock.ts';
import { addTestUser, type Caller, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { prepare, use } from '../../support/use.ts';
import { useDashboard } from '../../support/use-dashboard.ts';
import { addWatchedBanks } from '../../support/watched-banks.ts';

const home = '/dashboard/operator/banks';
let owner: Caller;

const { world, site } = useDashboard();
const watched = use(() => addWatchedBanks(world));
const operator = use(async () => callAs(site, world, await addTestUser(world, 0, 'operator')));
prepare(async () => {
  const { merchantId } = await addTestMerchant(world);
  owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
});

test('the operator sees how many mails wait, the line as it will be listed, and the mail around it', async () => {
  const { body } = await operator.get(home);
  assert.match(body, /Banks<\/span> <span class="count">1<span class="unseen"> waiting</);
  assert.match(body, /As on \{date\} we are happy to tell you/);
  assert.match(body, /\{greeting\}\nAs on # we are happy/);
  assert.match(body, /1 new look</);
  assert.match(body, /1 new sender</);
  assert.match(body, /A very warm welcome to you\./);
});

test('a bank’s page shows what it writes, and marks only new lines', async () => {
  const { body } = await operator.get(`${home}/hdfc`);
  assert.equal(body.match(/<span class="badge warn">New<\/span>/g)?.length, 2);
  assert.match(body, /Signing domain, not listed/);
  assert.equal((await operator.get(`${home}/nobody`)).statusCode, 404);
});

test('only the operator can list a line, and only with a fresh sign-in', async () => {
  const list = `${home}/lines/${watched.lineId}/list`;
  const remove = `${home}/entries/${watched.entryId}/remove`;
  for (const path of [list, `${home}/lines/${watched.lineId}/dismiss`, remove])
    assert.equal((await owner.post(path)).statusCode, 403, path);
  assert.equal((await owner.get(home)).statusCode, 403);
  const before = world.clock.now();
  world.clock.advance(hour);
  const stale = await operator.post(list);
  assert.match(String(stale.headers.location), /^\/dashboard\/confirm/);
  world.clock.set(before);
  assert.equal((await world.sql`select from bank_entries`).length, 1);
});

test('one button lists the line: it is saved, its mails no longer wait, and a second press changes nothing', async () => {
  const path = `${home}/lines/${watched.lineId}/list`;
  const asked = await operator.get(path);
  assert.match(asked.body, /Whose words stand below this line\?/);
  assert.equal((await operator.post(path)).headers.location, path);
  assert.equal((await operator.post(path, { whose: 'bank' })).headers.location, home);
  const { body } = await operator.get(home);
  assert.match(body, /The line is listed\. Mails that are judged again: 0\./);
  assert.doesNotMatch(body, /1 waiting/);
  await operator.post(path, { whose: 'bank' });
  assert.match((await operator.get(home)).body, /Somebody has settled this already/);
  assert.deepEqual((await world.sql`select entry from bank_entries order by entry_id`).at(-1)!['entry'], {
    id: 'hdfc',
    openings: ['As on {date} we are happy to tell you'],
  });
  await world.banks.reload(world);
  const openings = world.banks.current().find(bank => bank.id === 'hdfc')!.openings;
  assert.ok(openings.some(opening => opening.test('As on 12-11-2026 we are happy to tell you')));
});

test('a line that no entry may have is refused with the reason, and stays', async () => {
  const [line] = await world.sql`
    insert into held_lines (bank, line, surroundings, first_seen)
    values ('hdfc', '{token}', '', ${world.clock.now()}) returning line_id`;
  await operator.post(`${home}/lines/${line!['line_id']}/list`, { whose: 'bank' });
  assert.match((await operator.get(home)).body, /The line cannot be listed: .*has no words/);
  await operator.post(`${home}/lines/${line!['line_id']}/dismiss`);
  assert.match((await operator.get(home)).body, /will not be listed/);
});

test('a line that announces somebody else’s words cannot be listed', async () => {
  for (const words of [
    'Message from your payer:',
    'Remark :-',
    'MEERA wrote “',
    'A note (',
    'They said "',
    'Remark:{end}',
  ]) {
    const [line] = await world.sql`
      insert into held_lines (bank, line, surroundings, first_seen)
      values ('hdfc', ${words}, '', ${world.clock.now()}) returning line_id`;
    await operator.post(`${home}/lines/${line!['line_id']}/list`, { whose: 'bank' });
    assert.match((await operator.get(home)).body, /cannot be listed: .*somebody else’s words/, words);
    await operator.post(`${home}/lines/${line!['line_id']}/list`, { whose: 'other' });
    assert.match((await operator.get(home)).body, /will not be listed/, words);
  }
});

test('a saved entry is removed after a warning, and is in the log', async () => {
  const path = `${home}/entries/${watched.entryId}/remove`;
  assert.match((await operator.get(path)).body, /What it has confirmed stays confirmed/);
  await operator.post(path);
  assert.match((await operator.get(home)).body, /The entry is removed/);
  assert.equal((await operator.post(path)).statusCode, 404);
  assert.match((await operator.get('/dashboard/operator/audit')).body, /Removed a wording of HDFC Bank/);
});
