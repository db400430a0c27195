import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeSubject } from '../../../src/alerts/mail/decode-subject.ts';

test('plain, encoded and raw UTF-8 subjects are decoded', () => {
  const subjects: Array<[string, string]> = [
    ['View: Account update', 'View: Account update'],
    ['=?UTF-8?q?=E2=9D=97__You_have_done_a_UPI_txn.?=', '❗  You have done a UPI txn.'],
    ['=?utf-8?B?4oK5MQ==?=', '₹1'],
    ['=?utf-8?Q?=E2=82?= =?utf-8?Q?=B91?=', '₹1'],
    ['a =?utf-8?Q?b?= c', 'a b c'],
    ['=?iso-8859-1?Q?caf=E9?=', 'café'],
    [Buffer.from('₹1').toString('latin1'), '₹1'],
    ['5 =? 6', '5 =? 6'],
  ];
  for (const [value, expected] of subjects) assert.equal(decodeSubject(value), expected, value);
});

test('a subject in another character set, or a broken one, is not decoded in part', () => {
  for (const value of [
    '=?utf-7?Q?+AEE-?=',
    '=?gb2312?B?1eM=?=',
    '=?utf-8?Q?=E2=82?=',
    '=?utf-8?B?4oK5M?=',
    '=?utf-8?Q?=GG?=',
    '=?us-ascii?Q?=E9?=',
    '=?utf-8?Q?a=00b?=',
    '=?utf-8?Q?a=0D=0ATo:_x?=',
    '\xff\xfe',
  ])
    assert.equal(decodeSubject(value), null, value);
});
