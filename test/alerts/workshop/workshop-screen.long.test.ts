import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBreaches } from '../../../src/operator/verify.ts';
import { type Alert, bankMail, slice } from '../../support/bank-mail.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { prepare, use } from '../../support/use.ts';
import { allBanks, another, samples } from './sample-mails.ts';
import { addShop, judgeAll, openBench, receive, verdictOf } from './workshop-bench.ts';

const home = '/dashboard/operator/workshop';
const { chosen } = samples.find(({ alert }) => alert === slice)!;
const debit: Alert = {
  ...slice,
  subject: 'Paid',
  text: 'Hi Asha, You have sent ₹12.00 via UPI from your slice bank account xx4321.',
};

const sender = allBanks.find(({ id }) => id === 'slice')!.senders[0]!;

let merchantId: number;

const world = use(() =>
  openBench(allBanks.map(bank => (bank.id === 'slice' ? { ...bank, templates: [] } : bank))),
);
prepare(async () => {
  merchantId = await addShop(world, 'slice');
});
const site = use(() => openDashboard(world));
const operator = use(async () => callAs(site, world, await addTestUser(world, 0, 'operator')));
const owner = use(async () => callAs(site, world, await addTestUser(world, merchantId, 'owner')));
prepare(async () => {
  const raws = [slice, another(slice), debit].map(alert => bankMail(alert));
  assert.deepEqual(await receive(world, merchantId, raws), ['unreadable', 'unreadable', 'not_a_credit']);
});

async function held(): Promise<string> {
  const page = (await operator.get(home)).body;
  return /name="stored" value="([^"]+)"/.exec(page)![1]!;
}

/** The stored mail of slice.text, whose values the marks are. */
async function storedMail(): Promise<string> {
  const [row] = await world.sql<{ alert_id: string }[]>`
    select alert_id from alerts where found_in = 'INBOX/1/0'`;
  return `${merchantId}.${row!.alert_id}`;
}

test('a mail that could not be read is listed with bank, sender, business and reason, and opened with its lines', async () => {
  const { body } = await operator.get(home);
  for (const shown of ['slice', sender, 'Chai Point', 'The wording is not known for this bank.'])
    assert.ok(body.includes(shown), shown);
  const opened = await operator.post(`${home}/mail`, { stored: await held() });
  assert.equal(opened.statusCode, 200);
  assert.match(opened.body, /<bdi>slice\.bank\.in<\/bdi> <span class="badge good">valid/);
  assert.match(opened.body, /<p>Hi Asha, You have received ₹/);
});

test('opening a business’s mail is in the logs of the business and of the installation', async () => {
  const looks = () =>
    world.sql`select merchant_id from audit_log where action = 'workshop.look' order by merchant_id`;
  const before = (await looks()).length;
  await operator.post(`${home}/mail`, { stored: await held() });
  assert.deepEqual((await looks()).slice(before).length, 2);
  assert.deepEqual([...new Set((await looks()).map(row => Number(row['merchant_id'])))], [0, merchantId]);
});

test('a wrong value is explained, and the typed values stay', async () => {
  const stored = await storedMail();
  const { statusCode, body } = await operator.post(`${home}/draft`, {
    ...chosen,
    stored,
    amount: '77.00',
  });
  assert.equal(statusCode, 400);
  assert.match(body, /“77\.00” \(Amount\) does not stand in the mail/);
  assert.match(body, /value="615300112233"/);
});

test('only the operator can open the workshop, and what it shows is escaped', async () => {
  assert.equal((await owner.get(home)).statusCode, 403);
  assert.equal((await owner.post(`${home}/save`, { ...chosen, stored: await storedMail() })).statusCode, 403);
  const html = '<p>Dear Customer,</p><p>&lt;script&gt;alert(1)&lt;/script&gt; Rs. 5.00</p>';
  const file = bankMail(slice, { html }).toString('latin1');
  const { body } = await upload({}, file);
  assert.match(body, /&lt;script&gt;alert\(1\)/);
  assert.ok(!body.includes('<script>alert'));
});

async function upload(fields: Record<string, string>, file: string, path = `${home}/mail`) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head =
    '--form\r\nContent-Disposition: form-data; name="file"; filename="a.eml"\r\nContent-Type: message/rfc822\r\n\r\n';
  const payload = Buffer.from(`${parts.join('')}${head}${file}\r\n--form--\r\n`, 'latin1');
  const headers = {
    cookie: operator.cookie,
    'content-type': 'multipart/form-data; boundary=form',
    'sec-fetch-site': 'same-origin',
    origin: world.baseUrl,
  };
  return await site.app.inject({ method: 'POST', url: path, headers, payload });
}

test('an uploaded mail of an unlisted bank is drafted, and saved without its values', async () => {
  const lines = bankMail(slice)
    .toString('latin1')
    .replace(`From: Alerts <${sender}>`, 'From: New <alerts@new.bank.in>');
  const fields = { ...chosen, bank_name: 'New Bank', signing_domain: 'new.bank.in' } as Record<
    string,
    string
  >;
  const shown = await upload(fields, lines);
  assert.match(shown.body, /No signature of this copy is valid/);
  const drafted = await upload(fields, lines, `${home}/draft`);
  const [, seen = ''] = /name="seen" value="([0-9a-f]{64})"/.exec(drafted.body) ?? [];
  assert.equal((await upload({ ...fields, seen }, lines, `${home}/save`)).statusCode, 303);
  const [saved] = await world.sql`
    delete from bank_entries where bank = 'new-bank' returning entry`;
  const entry = saved!['entry'];
  assert.deepEqual([entry.senders, entry.signing_domains], [['alerts@new.bank.in'], ['new.bank.in']]);
  for (const value of Object.values(chosen)) assert.ok(!JSON.stringify(entry).includes(value), value);
});

test('a file that is no mail, or too large, is not accepted', async () => {
  assert.equal((await upload({}, '')).statusCode, 400);
  assert.equal((await upload({}, `A: b\r\n\r\n${'x'.repeat(1024 * 1024)}`)).statusCode, 400);
  assert.equal((await operator.post(`${home}/mail`, { stored: `${merchantId}.al_unknown` })).statusCode, 400);
});

test('an entry that would change a verdict other than unreadable is not saved', async () => {
  // Today the words in its footer tell what it is; with the entry the statement above them would be believed.
  const html = `<p>${another(slice).text}</p><p>This payment has been reversed.</p>`;
  const { subject } = another(slice);
  assert.deepEqual(await receive(world, merchantId, [bankMail(slice, { html, subject })]), ['not_a_credit']);
  const fields = { ...chosen, stored: await storedMail() } as Record<string, string>;
  const { body } = await operator.post(`${home}/draft`, fields);
  assert.match(body, /1 others would change.*It cannot be saved like this/s);
  const seen = /name="seen" value="(\w+)"/.exec(body)![1]!;
  assert.equal((await operator.post(`${home}/save`, { ...fields, seen })).statusCode, 200);
  assert.equal((await world.sql`select from bank_entries`).length, 0);
  await world.sql`delete from alerts where reason_code = 'refund'`;
});

test('a mail that calls itself a debit is not drafted as a credit', async () => {
  const html = '<p>You paid ₹12.00 via UPI, received by the shop, from your account xx4321.</p>';
  const file = bankMail(slice, { html }).toString('latin1');
  const { statusCode, body } = await upload({ amount: '12.00', account: 'xx4321' }, file, `${home}/draft`);
  assert.equal(statusCode, 400);
  assert.match(body, /The mail itself says that it is no payment received: A debit/);
});

test('an entry is saved as drafted, works at once, and the held mails are judged again', async () => {
  const stored = await storedMail();
  const draft = await operator.post(`${home}/draft`, { ...chosen, stored } as Record<string, string>);
  assert.equal(draft.statusCode, 200);
  assert.match(draft.body, /₹500\.37/);
  assert.match(draft.body, /2 unreadable ones are read now; no other changes/);
  assert.match(draft.body, /It can be saved\./);
  const seen = /name="seen" value="(\w+)"/.exec(draft.body)![1]!;

  const unseen = await operator.post(`${home}/save`, { ...chosen, stored, seen: 'x' } as Record<
    string,
    string
  >);
  assert.equal(unseen.statusCode, 200, 'what was not shown is shown first');
  assert.equal((await world.sql`select from bank_entries`).length, 0);

  const saved = await operator.post(`${home}/save`, { ...chosen, stored, seen } as Record<string, string>);
  assert.equal(saved.statusCode, 303);
  await world.banks.reload(world);
  await judgeAll(world);
  const verdicts = await world.sql`select verdict from alerts order by verdict`;
  assert.deepEqual(
    [...new Set(verdicts.map(row => row['verdict']))],
    ['no_order', 'not_a_credit', 'wrong_account'],
  );
  const [entry] = await world.sql`select saved_by, entry from bank_entries`;
  assert.match(entry!['saved_by'], /^operator-\d+@shop\.example$/);
  assert.deepEqual(await findBreaches(world), []);
  assert.equal(await verdictOf(world, stored.split('.')[1]!), 'no_order');
});
