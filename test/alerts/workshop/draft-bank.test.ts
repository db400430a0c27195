import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { draftBankCommand } from '../../../src/operator/draft-bank.ts';
import { bankMail, canara } from '../../support/bank-mail.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { another, without } from './sample-mails.ts';
import { addShop, openBench, receive } from './workshop-bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'milaan-draft-'));
const file = join(folder, 'alert.eml');
let world: TestWorld;

before(async () => {
  world = await openBench(without('canara'));
  // As somebody saves it by hand: without the CR of every line end.
  writeFileSync(file, bankMail(canara).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.stop();
});

async function milaan(options: Record<string, string>): Promise<{ code: number; said: string }> {
  assert.ok(draftBankCommand.needs === 'database');
  const said = mock.method(console, 'log', () => {});
  try {
    const code = await draftBankCommand.run(
      { ...world, config: { ...world.config, mode: 'live' } },
      { file, ...options },
    );
    return { code, said: said.mock.calls.map(call => call.arguments.join(' ')).join('\n') };
  } finally {
    said.mock.restore();
  }
}

const marks = {
  amount: '500.37',
  account: 'XXXX4321',
  reference: '615300112233',
  payer: 'MEERA IYER',
  name: 'Canara',
};

test('draft-bank tells what will be read and what it was tried on, and writes the bank file', async () => {
  const path = join(folder, 'canara.json');
  const { code, said } = await milaan({ ...marks, export: path });
  assert.equal(code, 0);
  assert.match(
    said,
    /An amount of INR \{amount\} has been CREDITED on \{date\} to your account \{account\} from \{payer_name\}/,
  );
  assert.match(said, /₹500\.37, account 4321, reference 615300112233, payer MEERA IYER/);
  assert.match(said, /hostile fillings, 0 moved/);
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).id, 'canara');
  assert.equal((await world.sql`select from bank_entries`).length, 0);
});

test('what is wrong is said in words', async () => {
  await assert.rejects(milaan({ ...marks, amount: '1.00' }), /“1\.00” \(Amount\) does not stand in the mail/);
  await assert.rejects(milaan({ ...marks, name: '' }), /Choose the bank, or name a new one/);
  await assert.rejects(milaan({ ...marks, bank: 'nobody' }), /there is no bank "nobody"/);
  await assert.rejects(milaan({ ...marks, file: join(folder, 'none.eml') }), /cannot be read \(ENOENT\)/);
});

test('with --save the next mail of the bank is read', async () => {
  assert.match((await milaan({ ...marks, save: 'true' })).said, /saved; 0 held mails are judged again/);
  await world.banks.look(world);
  const merchantId = await addShop(world, 'canara');
  assert.deepEqual(await receive(world, merchantId, [bankMail(another(canara))]), ['wrong_account']);
});
