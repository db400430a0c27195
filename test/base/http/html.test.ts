import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Html, html, trusted } from '../../../src/base/http/html.ts';
import { fc } from '../../support/same-dice.ts';

test('text in a placeholder stays text, between tags and inside a quoted attribute', () => {
  const hostile = `"><script>alert('x')</script>&\``;
  assert.equal(
    html`<a title="${hostile}">${hostile}</a>`.text,
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&#96;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&#96;</a>',
  );
});

test('a piece made by the template is not escaped again, alone or in a list', () => {
  const items = ['a&b', 'c'].map(item => html`<li>${item}</li>`);
  assert.equal(html`<ul>${items}</ul>`.text, '<ul><li>a&amp;b</li><li>c</li></ul>');
});

test('nothing is written for null, undefined and false; zero and the empty text are written', () => {
  assert.equal(html`[${null}${undefined}${false}${0}${''}]`.text, '[0]');
});

test('an object that only resembles a piece of HTML is escaped', () => {
  const lookalike = ['<b>'] as const;
  assert.equal(html`${lookalike}`.text, '&lt;b&gt;');
  assert.ok(html`x` instanceof Html);
});

test('markup declared as our own passes unchanged', () => {
  assert.equal(html`<i>${trusted('<svg/>')}</i>`.text, '<i><svg/></i>');
});

test('no text lets a character through that opens markup or ends an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      assert.doesNotMatch(html`${text}`.text, /[<>"'`]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
    }),
  );
});
