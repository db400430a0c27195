import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { KeyAnswer, KeySource } from '../../src/alerts/origin/key-source.ts';

/** A signing key and the TXT record that publishes it. */
export type MailKey = { privateKey: KeyObject; record: string; algorithm: 'rsa' | 'ed25519' };

const made = new Map<string, MailKey>();

/** One of each serves a whole test file. As short as a bank's may be: signing with twice the bits takes five times as long. */
export function mailKey(bits = 1024, which = 'bank'): MailKey {
  const name = `${bits}/${which}`;
  const key = made.get(name) ?? keyFrom(generateKeyPairSync('rsa', { modulusLength: bits }).privateKey);
  made.set(name, key);
  return key;
}

export function ed25519Key(): MailKey {
  return keyFrom(generateKeyPairSync('ed25519').privateKey);
}

function keyFrom(privateKey: KeyObject): MailKey {
  const pem = createPublicKey(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  const der = pem.export({ type: 'spki', format: 'der' });
  return privateKey.asymmetricKeyType === 'ed25519'
    ? {
        privateKey,
        algorithm: 'ed25519',
        record: `v=DKIM1; k=ed25519; p=${der.subarray(12).toString('base64')}`,
      }
    : { privateKey, algorithm: 'rsa', record: `v=DKIM1; k=rsa; p=${der.toString('base64')}` };
}

export type SignOptions = {
  domain: string;
  selector?: string;
  key?: MailKey;
  /** h=, in order; repeat a name to sign more copies than there are. */
  names?: string[];
  canon?: string;
  algorithm?: string;
  /** Further tags as they are to stand, such as `l=10` or `t=1780000000`. */
  tags?: string[];
};

/** Signs `Name: value` lines and a body the way a bank's mail server does, and also in the odd ways nobody should. */
export function signMail(lines: readonly string[], body: string, options: SignOptions): Buffer {
  return Buffer.from([signatureLine(lines, body, options), ...lines, '', body].join('\r\n'), 'latin1');
}

export function signatureLine(lines: readonly string[], body: string, options: SignOptions): string {
  const key = options.key ?? mailKey();
  const canon = options.canon ?? 'relaxed/relaxed';
  const [headerCanon, bodyCanon] = canon.split('/') as [string, string];
  const names = options.names ?? ['from', 'to', 'cc', 'subject', 'date', 'mime-version', 'content-type'];
  const algorithm = options.algorithm ?? `${key.algorithm}-sha256`;
  const hash = algorithm.endsWith('sha1') ? 'sha1' : 'sha256';
  const length = options.tags?.find(tag => tag.startsWith('l='))?.slice(2);
  const hashed = canonBody(body, bodyCanon).slice(0, length === undefined ? undefined : Number(length));
  const bodyHash = createHash(hash).update(Buffer.from(hashed, 'latin1')).digest('base64');
  const unsigned = [
    `DKIM-Signature: v=1; a=${algorithm}; c=${canon}; d=${options.domain}; s=${options.selector ?? 's1'}`,
    ...(options.tags ?? []),
    `h=${names.join(':')}`,
    `bh=${bodyHash}`,
    'b=',
  ].join('; ');
  const left = [...lines];
  const chosen = names.flatMap(name => {
    const at = left.findLastIndex(
      line => line.slice(0, line.indexOf(':')).trim().toLowerCase() === name.toLowerCase(),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
  const text = [
    ...chosen.map(line => `${canonHeader(line, headerCanon)}\r\n`),
    canonHeader(unsigned, headerCanon),
  ];
  const bytes = Buffer.from(text.join(''), 'latin1');
  const signature =
    key.algorithm === 'ed25519'
      ? sign(null, createHash('sha256').update(bytes).digest(), key.privateKey)
      : sign(hash, bytes, key.privateKey);
  return unsigned + signature.toString('base64');
}

export function canonHeader(line: string, canon: string): string {
  if (canon === 'simple') return line;
  const colon = line.indexOf(':');
  const value = line
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`;
}

export function canonBody(body: string, canon: string): string {
  const lines = body.split('\r\n');
  const kept = canon === 'simple' ? lines : lines.map(line => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (kept.at(-1) === '') kept.pop();
  if (kept.length === 0) return canon === 'simple' ? '\r\n' : '';
  return `${kept.join('\r\n')}\r\n`;
}

/** A table in place of DNS that also remembers what it was asked. */
export function zone(records: Record<string, string | KeyAnswer>): KeySource & { asked: string[] } {
  const asked: string[] = [];
  const source: KeySource = async name => {
    asked.push(name);
    const answer = records[name];
    if (answer === undefined) return { kind: 'not_found' };
    return typeof answer === 'string' ? { kind: 'found', record: answer } : answer;
  };
  return Object.assign(source, { asked });
}

/** Text as a mail carries it: UTF-8 bytes written as latin1, so that `signMail` puts them out unchanged. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function quotedPrintable(text: string): string {
  return utf8(text)
    .replace(
      /[^\t\r\n\x20-\x3c\x3e-\x7e]/g,
      char => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .split('\r\n')
    .map(line => line.replace(/(.{60,72}[^=]{2})(?=.)/g, '$1=\r\n'))
    .join('\r\n');
}
