import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readName, shownName } from '../../src/base/read-name.ts';
import { deceptiveNames } from '../support/deceptive-names.ts';

test('a name is refused if it has invisible characters', () => {
  for (const [why, name] of Object.entries(deceptiveNames)) assert.equal(readName(name, 120), null, why);
});

test('names in every Indian script, with emoji and plain punctuation, are accepted unchanged', () => {
  for (const name of [
    'Ravi’s Café & Sons (Pune) – Nº 1',
    'क्‍षितिज स्टोर',
    'ശ്രീകൃഷ്ണന്‍',
    'র‍্যাব দোকান',
    'ರ್‍ಯಾಲಿ',
    'ශ්‍රී ලංකා',
    'தமிழ் கடை',
    'నమస్తే ఫ్యాషన్‌లు',
    'گل‌فروش',
    'ਗੁਰੂ ਕਿਰਪਾ',
    'ꯃꯅꯤꯄꯨꯔ',
    'Chai ☕️ 👨‍👩‍👧 1️⃣ ❤️‍🔥',
    'Zoë',
    '7',
  ])
    assert.equal(readName(name, 120), name, name);
  assert.equal(readName('  Tea\u00a0 \u3000Shop ', 120), 'Tea Shop');
  assert.equal(readName('x'.repeat(121), 120), null);
  assert.equal(readName('👍'.repeat(120), 120), '👍'.repeat(120));
});

test('a name that cannot be refused is shown without its invisible characters', () => {
  assert.equal(shownName('Pay\u00adtm\u202e'), 'Paytm');
  assert.equal(shownName('\u3164\u2800'), '');
  for (const name of Object.values(deceptiveNames)) assert.equal(shownName(shownName(name)), shownName(name));
});

test('a hostile name costs time only by its length', () => {
  for (const one of ['\u0301', '\u200d', 'क\u200d', '☕\ufe0f', ' ', 'a\u0301', '\u{e0041}']) {
    const began = process.cpuUsage();
    shownName(one.repeat(20_000));
    assert.ok(process.cpuUsage(began).user < 2_000_000, JSON.stringify(one));
  }
});
