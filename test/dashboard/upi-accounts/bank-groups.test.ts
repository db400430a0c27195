import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { addUpiAccount } from '../../../src/business/merchants/upi-accounts.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();

async function newOwner() {
  const merchantId = await createMerchant(world.sql, world, { name: 'Chai Corner' });
  return { merchantId, caller: await callAs(site, world, await addTestUser(world, merchantId, 'owner')) };
}

const typed = { vpa: 'chai@okaxis', payee_name: 'Chai', kind: 'personal', account_digits: '123456' };

test('both pickers show the banks in groups, working ones first, and no closed one', async () => {
  const { caller } = await newOwner();
  for (const path of ['/dashboard/first-steps', '/dashboard/upi-accounts/add']) {
    const { body } = await caller.get(path);
    const groups = [...body.matchAll(/<optgroup label="([^"]+)">(.*?)<\/optgroup>/gs)];
    assert.deepEqual(
      groups.map(([, label]) => label),
      ['Confirmed', 'Not confirmed yet: try one rupee', 'Not known yet', 'Cannot be read'],
    );
    const [confirmed, unconfirmed, unknown, cannot] = groups.map(([, , options = '']) => options);
    assert.match(confirmed!, /value="hdfc"/);
    assert.match(unconfirmed!, /value="sbi"/);
    assert.match(unknown!, /value="indian"/);
    assert.match(cannot!, /value="icici".*value="pnb"/s);
    assert.doesNotMatch(body, /value="citi"/);
  }
});

test('an unreadable bank shows why and what to do, and no set-up steps', async () => {
  const { caller } = await newOwner();
  const shown = async (bank: string) => (await caller.get(`/dashboard/first-steps?bank=${bank}`)).body;
  const steps = /Set the smallest amount to ₹1/;
  assert.match(await shown('hdfc'), steps);
  assert.match(await shown('hdfc'), /Your bank calls this “InstaAlerts”/);
  const sbi = await shown('sbi');
  assert.match(sbi, steps);
  assert.match(sbi, /no mail of State Bank of India about a UPI payment was checked/);
  for (const [bank, why] of [
    ['icici', /ICICI Bank cannot be confirmed\. No alert mail for UPI payments is known/],
    ['bank-of-baroda', /Bank of Baroda cannot be confirmed\. The address that its alerts come from/],
    ['indian', /Indian Bank cannot be confirmed\. Nobody has shown us a mail/],
  ] as const) {
    const body = await shown(bank);
    assert.doesNotMatch(body, steps, bank);
    assert.match(body, why);
    assert.match(body, /a bank of the group “Confirmed”/);
  }
});

test('no UPI account can be added at a bank whose mails cannot be read, nor moved to one', async () => {
  const { merchantId, caller } = await newOwner();
  for (const bank of ['icici', 'pnb', 'bank-of-baroda', 'indian']) {
    const refused = await caller.post('/dashboard/upi-accounts', { ...typed, bank });
    assert.equal(refused.statusCode, 400, bank);
    assert.match(
      refused.body,
      /class="error" id="bank-error">Payments to an account at .* cannot be confirmed/,
    );
  }
  const accountId = await world.sql.begin(tx =>
    addUpiAccount(tx, world, merchantId, {
      vpa: 'chai@okaxis',
      payeeName: 'Chai',
      kind: 'personal',
      bank: 'hdfc',
      accountDigits: '4321',
    }),
  );
  const moved = await caller.post(`/dashboard/upi-accounts/${accountId}/bank`, { ...typed, bank: 'icici' });
  assert.equal(moved.statusCode, 400);
  assert.match(moved.body, /ICICI Bank cannot be confirmed/);
});

test('an existing account at an unreadable bank shows that in the list, on its page and in the first steps', async () => {
  const { merchantId, caller } = await newOwner();
  const id = await world.sql.begin(tx =>
    addUpiAccount(tx, world, merchantId, {
      vpa: 'chai@icici',
      payeeName: 'Chai',
      kind: 'personal',
      bank: 'icici',
      accountDigits: '321',
    }),
  );
  const list = (await caller.get('/dashboard/shop/bank')).body;
  assert.match(list, /class="state warn">Cannot be read</);
  const form = `/dashboard/upi-accounts/${id}/bank`;
  assert.match(list, new RegExp(`href="${form}".*?ICICI Bank.*?account …321`), 'its bank is one press away');
  const auditor = await callAs(site, world, await addTestUser(world, merchantId, 'auditor'));
  assert.ok(!(await auditor.get('/dashboard/shop/bank')).body.includes(form));
  for (const path of [`/dashboard/upi-accounts/${id}`, '/dashboard/first-steps'])
    assert.match(
      (await caller.get(path)).body,
      /Payments to an account at ICICI Bank cannot be confirmed/,
      path,
    );
});
