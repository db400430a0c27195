import assert from 'node:assert/strict';
import test from 'node:test';
import { parseMailDate } from '../../../src/alerts/mail/parse-fields.ts';

test('a date of RFC 5322 is read to the second, zone included', () => {
  const dates: Array<[string, string]> = [
    ['Fri, 22 May 2026 00:06:16 +0530', '2026-05-21T18:36:16.000Z'],
    ['Tue, 2 Jun 2026 16:04:01 +0530', '2026-06-02T10:34:01.000Z'],
    ['2 Jun 2026 16:04 +0000', '2026-06-02T16:04:00.000Z'],
    ['Tue,  02 Jun 2026 16:04:01 -0700 (PDT)', '2026-06-02T23:04:01.000Z'],
    ['Tue, 02 Jun 2026 16:04:01 GMT', '2026-06-02T16:04:01.000Z'],
  ];
  for (const [value, expected] of dates) assert.equal(parseMailDate(value)?.toISOString(), expected, value);
});

test('any other form of date is refused', () => {
  for (const value of [
    '',
    '2026-06-02T16:04:01Z',
    'Tue, 02 Jun 26 16:04:01 +0530',
    'Tue, 31 Feb 2026 16:04:01 +0530',
    'Tue, 02 Jun 2026 24:04:01 +0530',
    'Tue, 02 Jun 2026 16:60:01 +0530',
    'Tue, 02 Jun 2026 16:04:01 +1500',
    'Tue, 02 Jun 2026 16:04:01 +0560',
    'Tue, 02 Jun 2026 16:04:01 IST',
    'Tue, 02 Jun 2026 16:04:01',
    'Tue, 02 Jun 2026 16:04:01 +0530 x',
    'Tue, 02 Jun 1970 16:04:01 +0530',
    'yesterday',
  ])
    assert.equal(parseMailDate(value), null, value);
});
