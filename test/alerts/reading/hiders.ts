/** HTML that hides the bank's words behind an unescaped name, and what a bank's footer may have to close it. */
export const hiders = [
  ...['', '<!--', '<![CDATA[', '<a title="', "<a title='", '<a ', '</a ', '<x y=', '<!x ', '<?x '],
  ...['<textarea>', '<title>', '<style>', '<script>', '<xmp>', '<plaintext>', '<iframe>', '<noscript>'],
  ...['<select>', '<template>', '<svg>', '<math>', '<object>', '<head>', '<del>', '<div hidden>'],
  ...['<div style="display:none">', '<p style="font-size:0">', '<span style="opacity:0">', '<b hidden>'],
  '<table hidden><tr><td>',
  '<table style="position:absolute;left:-9999px"><tr><td>x</td></tr><tr><td>',
  '<style>table{}.x{display:none}</style><table class="x"><tr><td>',
  '<p>Visit us</p><table><tr><td>Visit us</td><td><table><tr><td>',
  '<p>Visit us</p><table><tr><td>Visit us<table><tr><td>',
];
export const closers = [
  '',
  `<!-- x --><p title='y'>It's "us"</p>]]>`,
  '</textarea></title></style></script></xmp>',
];
/** HTML in a payer's second field that ends a hider within a sentence. */
export const enders = [
  ...[
    ' --> lunch',
    ' > lunch',
    ' "> lunch',
    " '> lunch",
    ' ]]> lunch',
    '. --> Lunch',
    '. > Lunch',
    '. "> Lunch',
  ],
];
