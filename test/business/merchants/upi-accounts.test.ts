import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { selectAccountPlaces } from '../../../src/business/merchants/queries.ts';
import { readUpiAccount } from '../../../src/business/merchants/read-upi-account.ts';
import {
  addUpiAccount,
  chooseDefaultAccount,
  removeUpiAccount,
} from '../../../src/business/merchants/upi-accounts.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

const account = (name: string) => ({
  vpa: `${name}@okaxis`,
  payeeName: name,
  kind: 'personal' as const,
  bank: 'hdfc',
});

async function defaults(merchantId: number): Promise<string[]> {
  const places = await selectAccountPlaces(world.sql, merchantId);
  return places.filter(place => place.is_default).map(place => place.account_id);
}

test('exactly one of ten accounts added at once is the default', async () => {
  const merchantId = await createMerchant(world.sql, world, { name: 'Ten' });
  const added = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      world.sql.begin(tx => addUpiAccount(tx, world, merchantId, account(`a${n}`))),
    ),
  );
  assert.equal((await selectAccountPlaces(world.sql, merchantId)).length, 10);
  assert.equal((await defaults(merchantId)).length, 1);
  const chosen = await Promise.all(
    added.map(id => world.sql.begin(tx => chooseDefaultAccount(tx, merchantId, id))),
  );
  assert.ok(chosen.every(Boolean));
  assert.equal((await defaults(merchantId)).length, 1);
});

test('the default account stays while there are others, and the last one may be removed', async () => {
  const merchantId = await createMerchant(world.sql, world, { name: 'Two' });
  const first = await world.sql.begin(tx => addUpiAccount(tx, world, merchantId, account('first')));
  const second = await world.sql.begin(tx => addUpiAccount(tx, world, merchantId, account('second')));
  assert.equal(await world.sql.begin(tx => removeUpiAccount(tx, world, merchantId, first)), 'is_default');
  assert.ok(await world.sql.begin(tx => chooseDefaultAccount(tx, merchantId, second)));
  assert.equal(await world.sql.begin(tx => removeUpiAccount(tx, world, merchantId, first)), 'removed');
  assert.equal(await world.sql.begin(tx => removeUpiAccount(tx, world, merchantId, first)), 'unknown');
  assert.equal(await world.sql.begin(tx => removeUpiAccount(tx, world, merchantId, second)), 'removed');
  assert.deepEqual(await defaults(merchantId), []);
});

test('another business’s account can be neither chosen nor removed', async () => {
  const merchantId = await createMerchant(world.sql, world, { name: 'Mine' });
  const other = await createMerchant(world.sql, world, { name: 'Other' });
  const foreign = await world.sql.begin(tx => addUpiAccount(tx, world, other, account('foreign')));
  assert.equal(await world.sql.begin(tx => chooseDefaultAccount(tx, merchantId, foreign)), false);
  assert.equal(await world.sql.begin(tx => removeUpiAccount(tx, world, merchantId, foreign)), 'unknown');
  assert.deepEqual(await defaults(other), [foreign]);
});

test('an account is read as the bank writes it, and characters that a link cannot have are refused', () => {
  const typed = {
    vpa: ' Chai.Point@OkAxis ',
    payeeName: '  Chai   Point ',
    kind: 'merchant',
    merchantCode: '5812',
    bank: 'hdfc',
    accountDigits: '4321',
  };
  const banks = [
    { id: 'hdfc', printedDigits: 4 },
    { id: 'equitas', printedDigits: 0 },
  ];
  assert.deepEqual(readUpiAccount(typed, banks), {
    account: {
      vpa: 'chai.point@okaxis',
      payeeName: 'Chai Point',
      kind: 'merchant',
      merchantCode: '5812',
      bank: 'hdfc',
      accountDigits: '4321',
    },
  });
  const withoutDigits = readUpiAccount({ ...typed, bank: 'equitas', accountDigits: ' ' }, banks);
  assert.equal('account' in withoutDigits && withoutDigits.account.accountDigits, null);
  const faults: [Partial<typeof typed>, string][] = [
    [{ vpa: 'chai@ok axis' }, 'vpa'],
    [{ vpa: 'chai@okaxis&pa=thief@ybl' }, 'vpa'],
    [{ vpa: 'a@okaxis' }, 'vpa'],
    [{ vpa: 'chai@okaxis.com' }, 'vpa'],
    [{ payeeName: ' ' }, 'payee_name'],
    [{ payeeName: 'x'.repeat(100) }, 'payee_name'],
    [{ payeeName: 'Chai\u202ePoint' }, 'payee_name'],
    [{ kind: 'bank' }, 'kind'],
    [{ merchantCode: '58' }, 'merchant_code'],
    [{ kind: 'personal' }, 'merchant_code'],
    [{ accountDigits: 'XX4321' }, 'account_digits'],
    [{ accountDigits: '1' }, 'account_digits'],
    [{ accountDigits: '321' }, 'account_digits'],
    [{ accountDigits: '' }, 'account_digits'],
    [{ accountDigits: '7654321' }, 'account_digits'],
    [{ bank: '' }, 'bank'],
    [{ bank: 'citi' }, 'bank'],
  ];
  for (const [change, fault] of faults) {
    assert.deepEqual(readUpiAccount({ ...typed, ...change }, banks), { fault }, JSON.stringify(change));
  }
});
