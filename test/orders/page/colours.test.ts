import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = (name: string) => readFileSync(`src/orders/page/browser/${name}`, 'utf8');

test('the widget has the page’s colours; only its lines are darker, because its background may be any', () => {
  const [light = '', dark = ''] = css('tokens.css').split('@media');
  const colour = (part: string, name: string) => new RegExp(`--${name}: (#\\w+);`).exec(part)?.[1];
  const worn = [...css('widget.css').matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  assert.ok(worn.length > 5);
  for (const [, name = '', day, night] of worn) {
    if (name === 'line') continue;
    assert.deepEqual([name, day, night], [name, colour(light, name), colour(dark, name)]);
  }
});
