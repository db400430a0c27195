import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { ed25519Key, type MailKey, mailKey } from '../../test/support/signed-mail.ts';
import type { Chance } from './chance.ts';

export const rsa = mailKey(1024);
export const ed25519 = ed25519Key();
/** Signing with 1024 bits and with Ed25519 is cheap, so most mails have these. */
export const keys: readonly MailKey[] = [
  rsa,
  rsa,
  rsa,
  rsa,
  rsa,
  ed25519,
  ed25519,
  ed25519,
  ed25519,
  mailKey(2048),
  mailKey(512),
];

const publicPart = (record: string) => record.slice(record.indexOf('p=') + 2);
const [p, pEd, pLarge, pSmall] = [rsa, ed25519, mailKey(2048), mailKey(512)].map(key =>
  publicPart(key.record),
) as [string, string, string, string];
const der = Buffer.from(p, 'base64');
const bare = createPublicKey(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })).export({
  type: 'pkcs1',
  format: 'der',
});
const ofOtherKind = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  type: 'spki',
  format: 'der',
});
const ofOtherPadding = generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).publicKey.export({
  type: 'spki',
  format: 'der',
});
/** The last byte of the exponent 65537 becomes 1, 2, 3; or its three bytes the shortest form of 1. */
const withExponent = (exponent: number) =>
  Buffer.concat([der.subarray(0, -3), Buffer.from([0, 0, exponent])]);
const enveloped = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(pEd, 'base64')]);

const forms: readonly string[] = [
  ...Array<string>(8).fill(p),
  bare.toString('base64'),
  bare.toString('base64'),
  pLarge,
  pSmall,
  pEd,
  '',
  p.replace(/=+$/, ''),
  `${p}=`,
  `${p}==`,
  p.slice(0, -4),
  p.slice(0, -1),
  p.replace('A', '_'),
  p.replace('A', '-'),
  p.replace('A', '*'),
  `${p.slice(0, 40)} ${p.slice(40)}`,
  `${p.slice(0, 40)}\t\r\n ${p.slice(40)}`,
  `${p.slice(0, 40)}\u00a0${p.slice(40)}`,
  `${p.slice(0, 40)};${p.slice(40)}`,
  `"${p}"`,
  `-----BEGIN PUBLIC KEY-----${p}-----END PUBLIC KEY-----`,
  Buffer.concat([der, Buffer.from([0])]).toString('base64'),
  Buffer.concat([bare, Buffer.from([0, 0])]).toString('base64'),
  der.subarray(0, -1).toString('base64'),
  Buffer.concat([Buffer.from([0]), der]).toString('base64'),
  ofOtherKind.toString('base64'),
  ofOtherPadding.toString('base64'),
  ...[0, 1, 2, 3, 4].map(exponent => withExponent(exponent).toString('base64')),
  'AAAA',
  'x',
  '30',
  Buffer.from([0x30]).toString('base64'),
  Buffer.from([0x30, 0x82]).toString('base64'),
];
const formsOfEd25519: readonly string[] = [
  ...Array<string>(6).fill(pEd),
  enveloped.toString('base64'),
  pEd.slice(0, -1),
  pEd.replace(/=+$/, ''),
  Buffer.alloc(32).toString('base64'),
  Buffer.alloc(31, 1).toString('base64'),
  Buffer.alloc(33, 1).toString('base64'),
  Buffer.concat([Buffer.from([0x30, 0x1e, 0x02]), Buffer.alloc(29, 7)]).toString('base64'),
  p,
  '',
];

/** A key record, well or badly written, of the key that signed or of another. */
export function oddRecord({ pick, maybe, below, scratch }: Chance, key: MailKey): string {
  if (maybe(0.1)) return scratch(key.record);
  const isEd25519 = maybe(0.95) === (key.algorithm === 'ed25519');
  const own = publicPart(key.record);
  const value = maybe(0.5) ? own : pick(isEd25519 ? formsOfEd25519 : forms);
  const kind = isEd25519 ? 'k=ed25519' : 'k=rsa';
  const tags = [
    maybe(0.7)
      ? 'v=DKIM1'
      : pick(['', 'v=dkim1', 'v=DKIM2', 'v = DKIM1', 'v=', 'v=1', 'V=DKIM1', 'v=DKIM1 ', 'v']),
    maybe(0.7)
      ? kind
      : pick([
          '',
          'k=RSA',
          'k=Ed25519',
          'k=dsa',
          'k=ed25519',
          'k=rsa',
          'k=',
          'K=rsa',
          'k = rsa',
          'k=rsa:ed25519',
        ]),
    maybe(0.2)
      ? pick(['t=y', 't=s', 't=y:s', 't=S', 't=Y', 't=', 't=x', 'T=y', 't= s : y', 't=1', 't=y;t=s'])
      : '',
    maybe(0.15)
      ? pick(['s=email', 's=*', 's=other', 's=', 's=email:x', 's=EMAIL', 's= * ', 's=tlsrpt', 's=x:*'])
      : '',
    maybe(0.15)
      ? pick([
          'h=sha256',
          'h=sha1',
          'h=sha1:sha256',
          'h=',
          'h=SHA256',
          'h= sha256 : x',
          'h=sha256:',
          'h=sha512',
        ])
      : '',
    maybe(0.15)
      ? pick([
          'n=note',
          'g=*',
          'g=',
          'zz',
          'n=a=b',
          'n="x',
          '1a=2',
          'n=\u00e9',
          'p=',
          'value=x',
          'header=y',
          '_x=1',
          '=',
        ])
      : '',
    pick(['p=', 'p=', 'p=', 'p=', 'p = ', 'p= ', 'P=']) + value,
  ].filter(tag => tag !== '');
  if (maybe(0.08)) tags.reverse();
  if (maybe(0.04)) tags.push(pick(tags));
  if (maybe(0.04)) tags.splice(below(tags.length), 1);
  return (
    tags.join(pick(['; ', '; ', '; ', ';', ' ; ', ';;', ';\t'])) +
    pick(['', '', '', ';', '; ', ';;', '\u00a0'])
  );
}
