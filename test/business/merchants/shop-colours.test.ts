import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readColour, shopColours } from '../../../src/business/merchants/shop-colours.ts';

/** WCAG's formula once more, so that ours is not its own judge. */
function contrast(one: string, other: string): number {
  const light = [one, other].map(hex => {
    const part = (at: number) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) + 0.05;
  });
  return Math.max(...light) / Math.min(...light);
}

test('text in and on any shop colour is readable, by day and by night', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff'];
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const { day, night } = shopColours(red + green + blue);
        for (const [{ deep, onDeep, tint }, card] of [
          [day, '#ffffff'],
          [night, '#16201d'],
        ] as const)
          for (const [one, other] of [
            [deep, card],
            [deep, tint],
            [deep, onDeep],
          ] as const)
            assert.ok(contrast(one, other) >= 4.5, `${red}${green}${blue}: ${one} on ${other}`);
      }
});

test('a readable colour stays unchanged, and an unreadable one is darkened', () => {
  assert.deepEqual(shopColours('0b6b4f').day.deep, '#0b6b4f');
  assert.notEqual(shopColours('ffd400').day.deep, '#ffd400');
});

test('a colour is six hexadecimal digits, with or without the sign', () => {
  assert.equal(readColour(' #0B6b4F '), '0b6b4f');
  assert.equal(readColour('0b6b4f'), '0b6b4f');
  for (const text of ['', '#fff', 'red', '#0b6b4g', 'url(x)', '#0b6b4f;}'])
    assert.equal(readColour(text), null);
});
