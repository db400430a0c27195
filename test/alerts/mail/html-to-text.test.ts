import assert from 'node:assert/strict';
import test from 'node:test';
import { htmlToText, maxOpenTags } from '../../../src/alerts/mail/html-to-text.ts';
import { withoutBorders } from '../../../src/alerts/mail/plain-text.ts';

const textOf = (html: string) => {
  const text = htmlToText(html);
  assert.equal(typeof text, 'string', html);
  return withoutBorders(text as string);
};
const seen = (html: string) => textOf(html).replace(/\s+/g, ' ').trim();
/** Why a page is not read at all. */
const doubtOf = (html: string) => {
  const text = htmlToText(html);
  return typeof text === 'string' ? text : text.code;
};

test('blocks, cells and breaks separate words; inline tags do not', () => {
  assert.equal(seen('<p>Rs.<b>500</b>.37</p><p>is credited</p>'), 'Rs.500.37 is credited');
  assert.equal(
    seen('<table><tr><td>Amount</td><td>₹1</td></tr><tr><td>RRN</td></tr></table>'),
    'Amount ₹1 RRN',
  );
  assert.equal(seen('one<br>two<br/>three<span>four</span>'), 'one two threefour');
});

/** The lines of a page, each with single spaces. */
const linesOf = (html: string) =>
  textOf(html)
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => line !== '');

test('blocks, rows and breaks begin a line; line ends of the source do not', () => {
  assert.deepEqual(linesOf('<div>one\ntwo<br>three<p>four</p></div>five<ul><li>six</li></ul>'), [
    'one two',
    'three',
    'four',
    'five',
    'six',
  ]);
  assert.deepEqual(linesOf('<pre>one\ntwo</pre><p style="white-space:pre-line">three\nfour</p>'), [
    'one',
    'two',
    'three',
    'four',
  ]);
  assert.deepEqual(linesOf('a<span style="display:block">b</span>c'), ['a', 'b', 'c']);
  assert.deepEqual(linesOf('<div style="display:inline-block">a</div><div style="display:inline">b</div>'), [
    'a b',
  ]);
});

test('a cell with text to its left in its row belongs to that line, whatever borders are between', () => {
  const row = (...cells: string[]) => `<tr>${cells.map(cell => `<td>\n${cell}\n</td>`).join('\n')}</tr>`;
  assert.deepEqual(linesOf(`<table>${row('Amount', '₹1')}${row('RRN', '2')}</table>`), [
    'Amount ₹1',
    'RRN 2',
  ]);
  assert.deepEqual(linesOf(`<table>${row('<p>Note</p>', '', '<div><p>x</p></div>')}</table>`), ['Note x']);
  assert.deepEqual(linesOf(`<table>${row('<img src=x>', 'one<br>two')}</table>`), ['one', 'two']);
  assert.deepEqual(
    linesOf(`<table>${row('Note', `<table>${row('')}${row('x')}${row('y')}</table>`)}</table>z`),
    ['Note x', 'y', 'z'],
  );
  assert.deepEqual(linesOf('<table><td>one<td>two</table>'), ['one', 'two']);
});

test('comments, head, title, style, script and template are not text', () => {
  assert.equal(
    seen(
      '<head><title>t</title>x</head><!-- Rs.1.00 --><style>p{}</style><script>s</script><template>q</template>' +
        '<body>a<!--[if mso]>Rs.2.00<![endif]-->b</body>',
    ),
    'ab',
  );
  assert.equal(seen('<html><head><meta name=x><body>shown'), 'shown');
});

test('text that is hidden from the reader is not read', () => {
  for (const attributes of [
    'style="display:none"',
    'style="DISPLAY : NONE !important"',
    'style="color:red;visibility:hidden"',
    'style="font-size:0"',
    'style="font-size:0px;line-height:0"',
    'style="opacity:0"',
    'style="max-height:0px;overflow:hidden"',
    'style="color:red;/* ; */display/**/:none"',
    'style="position:absolute;left:-9999px"',
    'style="text-indent:-9999px"',
    'style="position:absolute;clip:rect(0 0 0 0)"',
    'style="transform:scale(0)"',
    'style="filter:opacity(0)"',
    'style="font:0/0 a"',
    'hidden',
    'hidden=""',
  ])
    assert.equal(seen(`a<div ${attributes}>x<b>y</b></div>b`), 'a b', attributes);
});

test('text that is only placed, sized or named is read', () => {
  for (const attributes of [
    'style="position:absolute;left:-9px"',
    'style="position:relative;top:-1000px"',
    'style="text-indent:-1em"',
    'style="font:bold 12px/1.5 Arial"',
    'style="font:700 14px Arial"',
    'style="transform:scale(0.5)"',
    'style="filter:opacity(0.9)"',
    'style="clip:rect(0 100px 20px 0)"',
  ])
    assert.equal(seen(`<div ${attributes}>x</div>`), 'x', attributes);
});

test('text with aria-hidden is read, and so is hidden text whose size or visibility is set again inside', () => {
  assert.equal(seen('<p aria-hidden="true">a</p>'), 'a');
  assert.equal(
    seen('<table style="font-size:0px"><td>x<font style="font-size:14px">seen</font></table>'),
    'seen',
  );
  assert.equal(seen('<div style="visibility:hidden">x<b style="visibility:visible">seen</b></div>'), 'seen');
  assert.equal(seen('<div style="font-size:0">x<b style="font-size:2em">y</b></div>'), '');
});

test('entities are decoded once, so an escaped tag in a name stays text', () => {
  assert.equal(seen('&#8377;500 &amp;lt;b&amp;gt; &lt;p&gt;&rsquo;'), '₹500 &lt;b&gt; <p>’');
});

test('endlessly nested tags are given up early', () => {
  assert.equal(seen(`${'<div>'.repeat(maxOpenTags - 1)}end`), 'end');
  assert.equal(doubtOf(`${'<div>'.repeat(200_000)}end`), 'html_too_deep');
});

const page = (name: string) =>
  `<html><body><table><tr><td><p>From ${name} Ref 1</p></td></tr></table><p>Thank you</p></body></html>`;

test('a page that ends inside a comment, a tag, an attribute or a hidden element is not read', () => {
  for (const name of [
    ...['<!--', '<!-- --', '<![CDATA[', '<a title="', "<a title='", '<a x="<!--'],
    ...['<textarea>', '<title>', '<style>', '<script>', '<xmp>', '<plaintext>', '<iframe>', '<noembed>'],
    ...['<noframes>', '<select>', '<select><option>', '<svg>', '<svg><desc>', '<math>', '<math><mtext>'],
    ...['<template>', '<object>', '<datalist>', '<head>', '<del>', '<s>', '<bdo dir="rtl">', '<rt>'],
    ...['<TEXTAREA rows=1>', '<textarea/>', '<div hidden>', '<b hidden><i>', '<span hidden/>'],
    ...['<div style="display:none">', '<i style="font-size:0">', '<u style="visibility:hidden"><b>'],
  ])
    assert.equal(doubtOf(page(name)), 'html_unclosed', name);
  for (const cut of [
    '</',
    '<p',
    '<p ',
    '<p class',
    '<p class=',
    '<p class=x',
    '<p class="x"',
    '</p',
    '<!',
    '<?',
  ])
    assert.equal(doubtOf(`<p>Ref 1</p>${cut}`), 'html_unclosed', cut);
  assert.equal(doubtOf('<html><head><title>t<body>shown'), 'html_unclosed');
});

test('a page is read if its hiding elements are closed, hide nothing, or may stay open', () => {
  for (const name of [
    ...[
      '<!-- x -->',
      '<![if mso]>',
      '<?xml x?>',
      '<a title="<!--">',
      '<textarea>x</textarea>',
      '<br hidden>',
    ],
    ...[
      '<img style="display:none">',
      '<input hidden>',
      '<div hidden></div>',
      '<table><tr><td hidden>&zwnj;&nbsp;&#8203;&#xFEFF;<tr><td></table>',
      '<p hidden>x</p>',
      '<li>',
      '<b>',
    ],
    ...[
      '<span hidden><b>x</span>',
      '<noscript>',
      '<svg/>',
      '<select><option>x</select>',
      'a < b',
      'a <3 b',
      '<!-->',
    ],
  ])
    assert.match(seen(page(name)), /Ref 1 Thank you$/, name);
  assert.equal(seen('<head><title>t</title><style>p{}</style><body><p>one<p>two'), 'one two');
  assert.equal(seen('<p>one</p><!-- -->\n'), 'one');
});
