import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { paiseFromRupees, rupeesText } from '../../src/base/money.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { readSandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { mailKey, signMail } from '../support/signed-mail.ts';
import { use } from '../support/use.ts';

const box = use(openTestSandbox);
afterEach(async () => {
  assert.deepEqual(await findBreaches(box.sandbox.world), []);
  await box.post('/sandbox/reset', {});
});

type Played = {
  domain: string;
  from: string;
  subject: string;
  body(amount: string, reference: string): string;
};

/** Banks that print four digits, three and none, and one that is gone. */
const banks: Record<string, Played> = {
  kotak: {
    domain: 'kotak.bank.in',
    from: 'bankalerts@kotak.bank.in',
    subject: 'UPI credit',
    body: (amount, reference) =>
      `Dear Customer, You've received a UPI Credit in your Kotak A/c (XX4321). Here's the summary of your transaction: Date: 15-11-26 Amount: ₹${amount} Sender: RAVI UPI Reference Number (RRN): ${reference}`,
  },
  nkgsb: {
    domain: 'nkgsb-bank.com',
    from: 'alerts@nkgsb-bank.com',
    subject: 'NKGSB Bank - Transaction Alert',
    body: (amount, reference) =>
      `Received Rs. ${amount} in NKGSB Bank A/C XX321 on 15-11-2026 UPI/CREDIT/${reference}/ravi@okaxis/N.Clr bal Rs.96843.98`,
  },
  equitas: {
    domain: 'equitas.bank.in',
    from: 'esfb-alerts@equitas.bank.in',
    subject: 'UPI Credit Alert',
    body: (amount, reference) =>
      `Dear Customer, An amount of INR ${amount} has been credited to your account. UPI REF NO ${reference}`,
  },
  citi: {
    domain: 'citicorp.com',
    from: 'citialert.india@citicorp.com',
    subject: 'CitiAlert - UPI Fund Transfer Acknowledgement',
    body: (amount, reference) =>
      `Your Citibank A/C has been credited with INR ${amount} on 15-NOV-2026 received from ravi@okaxis. UPI Ref No. ${reference}`,
  },
};

let serial = 612345678000;

/** A genuine alert of a bank about this much money, handed over. */
async function alertOf(bank: string, payable: number) {
  const { domain, from, subject, body } = banks[bank]!;
  await box.putDns(`unit._domainkey.${domain}`, mailKey().record);
  const now = box.sandbox.world.clock.now();
  const raw = signMail(
    [
      `From: ${bank} <${from}>`,
      `To: ${box.file.mailbox}`,
      `Subject: ${subject}`,
      `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
    ],
    Buffer.from(`${body(rupeesText(paiseFromRupees(payable)), String(++serial))}\r\n`).toString('latin1'),
    { domain, selector: 'unit' },
  );
  return (await box.mail(raw)).json();
}

test('a thief’s genuine alert at another listed bank pays nothing, and the reason names both banks', async () => {
  const order = await box.create();
  for (const [bank, name] of [
    ['kotak', 'Kotak Mahindra Bank'],
    ['nkgsb', 'NKGSB Co-operative Bank'],
    ['equitas', 'Equitas Small Finance Bank'],
  ] as const) {
    assert.deepEqual(await alertOf(bank, order.payable_amount), {
      verdict: 'wrong_account',
      reason: `the alert is of ${name}, but your UPI account is at Sandbox Bank`,
      order_id: order.order_id,
    });
  }
  assert.equal((await box.order(order.order_id))['status'], 'pending');
});

for (const [bank, end] of [
  ['nkgsb', 'pays'],
  // These wordings are on trial.
  ['kotak', 'waits for one tap'],
  ['equitas', 'waits for one tap'],
] as const)
  test(`with the account at ${bank}, its alert ${end}, and the simulated bank’s does not`, async () => {
    const put = await box.putAccount({ bank, account_digits: '4321' });
    const order = await box.create();
    assert.equal(put.statusCode, 200, put.body);
    assert.deepEqual(put.json(), {
      payment_account_id: order.payment_account_id,
      bank,
      account_digits: '4321',
    });
    assert.equal((await box.pay(order.order_id, 'exact'))['verdict'], 'wrong_account');
    const paid = await alertOf(bank, order.payable_amount);
    if (end === 'pays') return assert.equal(paid.verdict, 'paid', paid.reason);
    assert.match(paid.reason, /first three payments by it wait/);
    assert.equal((await box.order(order.order_id))['status'], 'manual_review');
  });

test('a closed bank pays nothing, even with a genuine mail for its account', async () => {
  assert.equal((await box.putAccount({ bank: 'citi' })).statusCode, 200);
  const order = await box.create();
  const { verdict, reason } = await alertOf('citi', order.payable_amount);
  assert.equal(verdict, 'not_a_credit');
  assert.equal(
    reason,
    'Citibank India no longer exists (its accounts in India went to Axis Bank in 2024), so no alert of it counts.',
  );
});

test('sandbox.json says where the account is, and a reset restores it', async () => {
  const { dataDir } = box.outside.config;
  const stored = () => {
    const { bank, account_digits } = readSandboxFile(dataDir);
    return { bank, account_digits };
  };
  assert.deepEqual(stored(), { bank: 'sandbox', account_digits: '4321' });
  await box.putAccount({ bank: 'sbi', account_digits: '771234' });
  assert.deepEqual(stored(), { bank: 'sbi', account_digits: '771234' });
  await box.putAccount({ bank: 'kotak' });
  assert.deepEqual(stored(), { bank: 'kotak', account_digits: '771234' });
  await box.post('/sandbox/reset', {});
  assert.deepEqual(stored(), { bank: 'sandbox', account_digits: '4321' });
  assert.match(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'), /"api_key"/);
  const order = await box.create();
  assert.equal((await box.pay(order.order_id, 'exact'))['verdict'], 'paid');
});

test('an invalid bank or digits are refused with a reason, and change nothing', async () => {
  for (const [account, details] of [
    [{}, /^bank must be/],
    [{ bank: 7 }, /^bank must be/],
    [{ bank: 'Kotak' }, /^there is no bank "Kotak"$/],
    [{ bank: 'kotak', account_digits: 4321 }, /^account_digits must be/],
    [{ bank: 'kotak', account_digits: 'XX4321' }, /^account_digits must be/],
    [{ bank: 'kotak', account_digits: '1' }, /^account_digits must be/],
    [{ bank: 'kotak', account_digits: '1234567' }, /^account_digits must be/],
    [[], /./],
  ] as const) {
    const answer = await box.putAccount(account);
    assert.equal(answer.statusCode, 400, JSON.stringify(account));
    assert.match(answer.json().details, details);
  }
  const order = await box.create();
  assert.equal((await box.pay(order.order_id, 'exact'))['verdict'], 'paid');
});
