import { deceptiveNames } from '../../support/deceptive-names.ts';

/** Addresses that a shop may ask for as the target of the answer, and must not get. */
export const otherAddresses = [
  'http://tea.example/back',
  'javascript:alert(1)',
  'data:text/html,hi',
  '//tea.example/back',
  '/dashboard',
  'https://',
  'https:tea.example/back',
  'https:\\\\tea.example\\back',
  'https://owner@tea.example/back',
  'https://tea.example@evil.example/back',
  'https://tea.example/back#fragment',
  'https://tea.example/back?code=mine',
  'https://tea.example/back?x=1&st%61te=mine',
  'https://tea.example/back?iss=x',
  'https://tea.example/back?error=x',
  'https://tea.example/a b',
  'https://tea.example/a\tb',
  'https://tea.example/\r\nset-cookie: a=b',
  'https://दुकान.example/back',
  'https://tea.example/"><script>',
  `https://tea.example/${'a'.repeat(500)}`,
  'http://127.0.0.1.evil.example/back',
  'http://localhost.evil.example/back',
  'http://[::1]/back',
  'http://10.0.0.1/back',
  'ftp://localhost/back',
];

/** Other parameters that a shop could ask with, and must not. */
export const otherParameters: [name: string, value: string][] = [
  ['code_challenge_method', 'plain'],
  ['code_challenge_method', ''],
  ['code_challenge_method', 's256'],
  ['code_challenge', ''],
  ['code_challenge', 'x'.repeat(42)],
  ['code_challenge', `${'x'.repeat(43)}=`],
  ['state', ''],
  ['state', 'short'],
  ['state', `${'x'.repeat(16)}&code=1`],
  ['state', 'x'.repeat(201)],
  ['shop_name', ''],
  ['shop_name', ' \u00a0 '],
  ['shop_name', 'x'.repeat(61)],
  ['shop_name', 'Bank\u202eelpmaxe'],
  ['shop_name', 'line\nbreak\u0000'],
  // A form cannot carry half a surrogate pair.
  ...Object.values(deceptiveNames)
    .filter(name => name.isWellFormed())
    .map((name): [string, string] => ['shop_name', name]),
  ['webhook_url', 'https://evil.example/hook'],
  ['webhook_url', 'https://tea.example.evil.example/hook'],
  ['webhook_url', 'ftp://tea.example/hook'],
  ['webhook_url', 'not an address'],
  ['webhook_url', ''],
];
