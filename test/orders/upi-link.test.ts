import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../src/base/money.ts';
import { type UpiPayee, upiLink } from '../../src/orders/upi-link.ts';
import { fc } from '../support/same-dice.ts';

const personal: UpiPayee = {
  vpa: 'chai@okaxis',
  payeeName: 'Chai Point',
  kind: 'personal',
  merchantCode: null,
};
const link = (payee: Partial<UpiPayee> = {}, payable = 499_37) =>
  upiLink({ ...personal, ...payee }, paise(payable), 'ML-0123456789');

test('a personal account’s link has exactly these bytes', () => {
  assert.equal(link(), 'upi://pay?pa=chai@okaxis&pn=Chai%20Point&am=499.37&cu=INR&tn=ML-0123456789');
});

test('a merchant account’s link has its code and a reference of letters and digits', () => {
  assert.equal(
    link({ kind: 'merchant', merchantCode: '5812' }),
    'upi://pay?pa=chai@okaxis&pn=Chai%20Point&mc=5812&tr=ML0123456789&am=499.37&cu=INR&tn=ML-0123456789',
  );
});

test('a merchant account without a code gets none', () => {
  assert.equal(
    link({ kind: 'merchant' }),
    'upi://pay?pa=chai@okaxis&pn=Chai%20Point&tr=ML0123456789&am=499.37&cu=INR&tn=ML-0123456789',
  );
});

test('a personal account never claims a merchant code, even when one is recorded', () => {
  assert.doesNotMatch(link({ merchantCode: '5812' }), /[?&](mc|tr)=/);
});

test('names with &, =, #, +, quotes and brackets cannot add or end a parameter', () => {
  assert.equal(
    link({ payeeName: `Tom & Jerry's +1 #2 (a=b) "x";%` }),
    'upi://pay?pa=chai@okaxis&pn=Tom%20%26%20Jerry%27s%20%2B1%20%232%20%28a%3Db%29%20%22x%22%3B%25&am=499.37&cu=INR&tn=ML-0123456789',
  );
});

test('a name in Hindi script is UTF-8, percent-encoded', () => {
  assert.equal(
    link({ payeeName: 'शर्मा स्टोर' }),
    'upi://pay?pa=chai@okaxis&pn=%E0%A4%B6%E0%A4%B0%E0%A5%8D%E0%A4%AE%E0%A4%BE%20%E0%A4%B8%E0%A5%8D%E0%A4%9F%E0%A5%8B%E0%A4%B0&am=499.37&cu=INR&tn=ML-0123456789',
  );
});

test('a long name is cut between letters, so that the QR stays readable', () => {
  const name = 'श्री महालक्ष्मी किराना एवं जनरल स्टोर, स्टेशन रोड';
  const pn = new URL(link({ payeeName: name })).searchParams.get('pn')!;
  assert.equal(pn, 'श्री महालक्ष्मी किराना एवं');
  assert.equal(new URL(link({ payeeName: 'A'.repeat(300) })).searchParams.get('pn'), 'A'.repeat(225));
});

test('the amount has two decimals, no grouping and no exponent', () => {
  assert.match(link({}, 1), /&am=0\.01&/);
  assert.match(link({}, 500_00), /&am=500\.00&/);
  assert.match(link({}, 10_00_000_99 + 200), /&am=1000002\.99&/);
});

test('no link has mam, url, mode, tid or sign, and a space is never a plus', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.constantFrom('personal' as const, 'merchant' as const),
      (payeeName, kind) => {
        const made = link({ payeeName, kind, merchantCode: '5411' });
        const names = [...new URL(made).searchParams.keys()];
        const wanted =
          kind === 'merchant' ? ['pa', 'pn', 'mc', 'tr', 'am', 'cu', 'tn'] : ['pa', 'pn', 'am', 'cu', 'tn'];
        assert.deepEqual(names, wanted);
        assert.doesNotMatch(made, /[+\s'"<>]/);
        assert.ok(made.length < 400);
      },
    ),
  );
});
