import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  normaliseLines,
  normaliseText,
  parseAmount,
  typedLength,
  unwrapLines,
} from '../../../src/alerts/mail/plain-text.ts';
import { fc } from '../../support/same-dice.ts';

describe('normaliseText', () => {
  it('turns any white space into one space and drops zero-width characters', () => {
    assert.equal(normaliseText(' a\u00a0\r\n\t b\u2028c\u0085d 1\u200c0\u200b0\ufeff '), 'a b c d 100');
  });

  it('takes no longer for many combining marks', () => {
    const began = performance.now();
    assert.equal(normaliseText(`x${'\u0301\u0316'.repeat(50_000)} 5`).at(-1), '5');
    assert.ok(performance.now() - began < 15_000);
  });

  it('folds full-width letters, ligatures and the old rupee sign', () => {
    assert.equal(normaliseText('ＩＮＲ ﬁle ₨ ₹'), 'INR file Rs ₹');
  });

  it('folds the marks in entries saved by 0.2.0 as letters, and counts each as typed once', () => {
    const typed = 'iMobile™ № ℠ … ‥ ︙ ‼ ⁉';
    const folded = 'iMobileTM No SM ... .. ... !! !?';
    assert.equal(normaliseText(typed), folded);
    assert.equal(typedLength(folded), [...typed].length);
  });

  it('counts a character once that a bank shows encoded, in linear time', () => {
    for (const shown of ['D&#39;S', 'D&amp;#39;S', 'D%27S', "D\\'S", 'D\\u0027S', 'DâS'])
      assert.equal(typedLength(shown), 3, shown);
    for (const whole of ['A & B; C', '50% paid', 'A&B', 'मीरा'.replace(/\p{M}/gu, '')])
      assert.equal(typedLength(whole), [...whole].length, whole);
    const began = performance.now();
    for (const slow of ['&', '&amp;', '&amp;amp', '%', '%25', '%25%', '\\', '\\u', 'à', 'à '])
      typedLength(slow.repeat(200_000));
    assert.ok(performance.now() - began < 15_000);
  });

  it('never turns another character into an ASCII digit', () => {
    assert.equal(normaliseText('５００ ² ① 𝟝 ½ ५'), '５００ ² ① 𝟝 ½ ५');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const digits = (of: string) => of.replace(/[^0-9]/g, '');
        assert.equal(digits(normaliseText(text)), digits(text));
      }),
    );
  });

  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        assert.equal(normaliseText(normaliseText(text)), normaliseText(text));
      }),
    );
  });

  it('keeps direction marks, which no slot accepts', () => {
    assert.equal(normaliseText('a\u202eb\u200fc'), 'a\u202eb\u200fc');
  });
});

describe('normaliseLines', () => {
  it('keeps lines apart, drops empty ones and folds each separately', () => {
    assert.equal(normaliseLines(' a\u00a0 b \r\n\r\n\t\nＣ\u2028d\n'), 'a b\nC d');
  });
});

describe('unwrapLines', () => {
  const greets = (line: string) => line.startsWith('Dear');
  const long = 'Sixty characters and four, or nearly, is what this line has now';

  it('joins a line to the next only where that line’s first word would not have fitted', () => {
    assert.equal(unwrapLines(`${long}\nnext`, greets), `${long} next`);
    assert.equal(unwrapLines(`${long}\n\nnext`, greets), `${long}\nnext`);
    assert.equal(unwrapLines('Dear Customer,\nRs. 5 came', greets), 'Dear Customer,\nRs. 5 came');
    assert.equal(unwrapLines(`${'x'.repeat(45)}\n${'y'.repeat(20)}`, greets).includes('\n'), false);
    assert.equal(unwrapLines(`${long} ${long}\nnext`, greets), `${long} ${long}\nnext`);
  });

  it('begins a line at a greeting, however long the line above is', () => {
    assert.equal(unwrapLines(`${long}\nDear Customer,\nnext`, greets), `${long}\nDear Customer,\nnext`);
  });
});

describe('parseAmount', () => {
  const good: [string, number][] = [
    ['1', 100],
    ['1.0', 100],
    ['113.4', 11340],
    ['0.05', 5],
    ['.05', 5],
    ['1,00,000.50', 10000050],
    ['199,290.30', 19929030],
    ['1,00000.00', 10000000],
    ['40,00,000.00', 400000000],
    ['1000000', 100000000],
    ['999999999999.99', 99999999999999],
  ];
  for (const [text, paise] of good)
    it(`reads ${text} as ${paise} paise`, () => {
      assert.equal(parseAmount(text), paise);
    });

  it('refuses three decimals, stray commas, signs, spaces, other digits and endless numbers', () => {
    for (const text of [
      '5.000',
      '6000.000',
      '1,,0',
      ',1',
      '1,',
      '1.',
      '.',
      '',
      '-1',
      '+1',
      ' 1',
      '1 0',
      '1e3',
      '५',
      '５',
      '1.2.3',
      '1,000.0,0',
      '9'.repeat(13),
    ])
      assert.equal(parseAmount(text), null, text);
  });

  it('is exact for every number of paise', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), paise => {
        const digits = String(paise).padStart(3, '0');
        assert.equal(parseAmount(`${digits.slice(0, -2)}.${digits.slice(-2)}`), paise);
      }),
    );
  });
});
