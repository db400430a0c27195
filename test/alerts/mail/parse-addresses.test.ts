import assert from 'node:assert/strict';
import test from 'node:test';
import { parseAddresses } from '../../../src/alerts/mail/parse-fields.ts';

test('the address forms of banks are read, in lower case', () => {
  const forms: Array<[string, string[]]> = [
    ['merchant@shop.in', ['merchant@shop.in']],
    ['MERCHANT@SHOP.IN', ['merchant@shop.in']],
    ['<merchant@shop.in>', ['merchant@shop.in']],
    ['HDFC Bank InstaAlerts <alerts@hdfcbank.bank.in>', ['alerts@hdfcbank.bank.in']],
    ['"Shop, The" <merchant@shop.in>', ['merchant@shop.in']],
    ['"merchant@shop.in" <merchant@shop.in>', ['merchant@shop.in']],
    ['=?utf-8?B?4KSw4KS14KS/?= <merchant@shop.in>', ['merchant@shop.in']],
    ["o'neil+x@shop.co.in, Two <b@shop.in>", ["o'neil+x@shop.co.in", 'b@shop.in']],
  ];
  for (const [value, expected] of forms) assert.deepEqual(parseAddresses(value), expected, value);
});

test('a field that two mail programs read as two recipients is refused', () => {
  for (const value of [
    '',
    ' ',
    'merchant',
    'merchant@shop',
    'merchant@shop.in,',
    'Team: merchant@shop.in;',
    'undisclosed-recipients:;',
    'merchant@shop.in; other@x.in',
    'merchant@shop.in (comment)',
    '(merchant@shop.in) attacker@x.in',
    'a(x)@shop.in',
    '"merchant@shop.in"@x.in',
    '"merchant"@shop.in',
    '@relay.in:merchant@shop.in',
    '<@relay.in:merchant@shop.in>',
    'merchant@shop.in@x.in',
    '<<merchant@shop.in>> <attacker@x.in>',
    '<merchant@shop.in> <attacker@x.in>',
    'merchant@shop.in <attacker@x.in>',
    '=?utf-8?B?PG1lcmNoYW50QHNob3AuaW4+?=',
    '=?utf-8?q?merchant?=@shop.in',
    'Name <=?utf-8?q?merchant?=@shop.in>',
    'm\u00e9rchant@shop.in',
    'merchant@sh\xf6p.in',
    'Nam\xe9 <merchant@shop.in>',
    'merchant@shop.in.',
    'merchant@.shop.in',
    'merchant@shop..in',
    '.merchant@shop.in',
    'merchant.@shop.in',
    'merchant@[127.0.0.1]',
    'merchant @shop.in',
    'merchant@ shop.in',
    'mer chant@shop.in',
    '"open <merchant@shop.in>',
    'Name "x" <merchant@shop.in>',
    'merchant@shop.in\0',
    'merchant@-shop.in',
    'merchant@shop_x.in',
  ])
    assert.equal(parseAddresses(value), null, JSON.stringify(value));
});

test('twenty addresses are read, and twenty-one are refused', () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@shop.in`).join(', ');
  assert.equal(parseAddresses(list(20))?.length, 20);
  assert.equal(parseAddresses(list(21)), null);
});
