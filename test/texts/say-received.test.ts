import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerTexts, sayReceived } from '../../src/texts/customer-texts.ts';
import { customerTags } from '../../src/texts/language-tags.ts';

const said = (tag: (typeof customerTags)[number], rupees: number, withPaise = false) =>
  sayReceived(customerTexts(tag).spoken, Math.round(rupees * 100), { withPaise });

test('a sum is spoken as people say it, in lakh and thousand', () => {
  const heard = [7, 999, 1_000, 12_640, 1_50_000, 1_50_250, 10_00_000, 1_00_00_000].map(sum =>
    said('en', sum),
  );
  assert.deepEqual(heard, [
    'Received 7 rupees',
    'Received 999 rupees',
    'Received 1 thousand rupees',
    'Received 12 thousand 640 rupees',
    'Received 1 lakh 50 thousand rupees',
    'Received 1 lakh 50 thousand 250 rupees',
    'Received 10 lakh rupees',
    'Received 1 crore rupees',
  ]);
  assert.equal(said('hi', 1_50_250), '1 लाख 50 हज़ार 250 रुपये मिले');
});

test('paise are spoken only if the device asks for them, or if there is nothing else', () => {
  assert.equal(said('en', 120.37), 'Received 120 rupees');
  assert.equal(said('en', 120.37, true), 'Received 120 rupees and 37 paise');
  assert.equal(said('en', 120, true), 'Received 120 rupees');
  assert.equal(said('en', 0.5), 'Received 0 rupees and 50 paise');
});

test('each language has its own words for the units', () => {
  for (const tag of customerTags) {
    const text = said(tag, 1_23_45_678);
    assert.doesNotMatch(text, /[{}]/, tag);
    for (const figure of ['1', '23', '45', '678'])
      assert.match(text, new RegExp(`(^|\\D)${figure}(\\D|$)`), tag);
    if (tag !== 'en') assert.doesNotMatch(text, /lakh|thousand|crore/, tag);
  }
});
