import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { dkimBody } from 'mailauth/lib/dkim/body/index.js';
import type { Bank } from '../../src/alerts/banks/bank.ts';
import { type HeaderField, splitHeaders } from '../../src/alerts/mail/split-headers.ts';
import { canonicaliseBody } from '../../src/alerts/origin/check-signature.ts';
import type { KeyAnswer } from '../../src/alerts/origin/key-source.ts';
import { type Origin, verifyOrigin } from '../../src/alerts/origin/verify-origin.ts';
import { testBank } from '../../test/support/alert-banks.ts';
import { alertCorpus } from '../../test/support/alert-corpus.ts';
import { bankZone, noon, noonSeconds, signedAlert } from '../../test/support/genuine-alert.ts';
import { type MailKey, mailKey, zone } from '../../test/support/signed-mail.ts';
import { askMailauth, isSafe } from './ask-mailauth.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { change, genuineMails, randomFrom } from './mutate.ts';
import { ed25519, keys, oddRecord, rsa } from './odd-keys.ts';
import { oddBody, oddlySigned } from './odd-signatures.ts';

/**
 * Our own check of signatures against mailauth's, on the same mails with the same keys: what either says must be what
 * the other says, to the last fact. Where we refuse what the library
 * accepts, a rule that is listed says so, and it is counted.
 */
export async function compareVerifiers(count: number, seed: number, report: (line: string) => void) {
  const chance = chanceFrom(randomFrom(seed));
  last = undefined;
  const bases = baseMails();
  const outcomes = new Map<string, number>();
  const rules = new Map<string, number>();
  const wrong: string[] = [];
  const add = (to: Map<string, number>, what: string) => to.set(what, (to.get(what) ?? 0) + 1);
  let compared = 0;
  for (let i = 0; compared < count; i++) {
    const one = drawCase(chance, bases);
    const difference = await compareOne(one, {
      outcome: what => add(outcomes, `${one.kind}: ${what}`),
      rule: what => add(rules, what),
    });
    if (difference === undefined) continue;
    compared++;
    if (compared % 50_000 === 0) report(`${compared} compared, ${wrong.length} differ`);
    if (difference)
      wrong.push(
        `case ${i}, ${one.kind}: ${difference.why}: ours ${said(difference.own)}, mailauth ${said(difference.theirs)}; ` +
          `${JSON.stringify(one.records)} ${one.raw.toString('base64')}`,
      );
  }
  return { outcomes, rules, wrong };
}

type Case = { kind: string; raw: Buffer; bank: Bank; records: Record<string, string | KeyAnswer> };
type Difference = { why: string; own: Origin; theirs: Origin };

/** Undefined where the mail cannot even be split, null where both say the same. */
async function compareOne(
  { raw, bank, records }: Case,
  note: { outcome: (what: string) => void; rule: (what: string) => void },
): Promise<Difference | null | undefined> {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') return undefined;
  const moments = { arrivedAt: noon, now: noon };
  const first = new Map<string, string>();
  for (const [name, answer] of Object.entries(records)) {
    const record = typeof answer === 'string' ? answer : answer.kind === 'found' ? answer.record : null;
    if (record !== null) first.set(name, record);
  }
  let isStricter = false;
  const library = askMailauth(mail.body, first, noon, rule => {
    isStricter = true;
    note.rule(rule);
  });
  const own = await verifyOrigin(mail, bank, zone(records), moments);
  const theirs = await verifyOrigin(mail, bank, zone(records), { ...moments, check: library.check });
  note.outcome(own.outcome === 'verified' ? 'verified' : own.reason.code);
  if (!isDeepStrictEqual(own, theirs)) return { why: 'weighed otherwise', own, theirs };
  if (own.outcome === 'verified') {
    // For an unchanged mail and the first key, compare the library's own measures too.
    if (own.raw !== mail.raw || own.key.record !== first.get(own.key.name)) return null;
    const results = await library.resultsOf(mail.fields, null);
    const agrees = results.some(
      ({ id, status, selector, canonBodyLength, bodyHash }) =>
        id === own.signatureId &&
        status.result === 'pass' &&
        selector === own.selector &&
        canonBodyLength === own.body.length &&
        bodyHash === createHash('sha256').update(own.body).digest('base64'),
    );
    return agrees ? null : { why: 'measured otherwise', own, theirs };
  }
  // The library alone, without our reading of the tags before it: what it would let pass, we refuse by a rule of ours.
  const results = await library.resultsOf(mail.fields, null);
  const signatures = mail.fields.filter(field => field.name === 'dkim-signature' && isSafe(field));
  for (const [at, { status, signingDomain }] of results.entries()) {
    if (status.result !== 'pass' || !bank.signingDomains.includes(signingDomain?.toLowerCase() ?? ''))
      continue;
    // Alone, with the key that was tried: else we would hear what is said of its neighbour.
    const fields = mail.fields.filter(field => field.name !== 'dkim-signature' || field === signatures[at]);
    const alone = await verifyOrigin({ ...mail, fields }, bank, zone(Object.fromEntries(first)), moments);
    const rule =
      alone.outcome === 'verified' ? 'stands beside another' : ruleOf(alone.reason.code, signatures[at]!);
    if (rule !== null) note.rule(`our rule: ${rule}`);
    else if (!isStricter) return { why: 'refused without a rule', own: alone, theirs };
  }
  return null;
}

/** Mails that mailauth accepts and decision 5 refuses. */
const ourRules = new Set([
  ...[
    'body_partly_signed',
    'weak_algorithm',
    'foreign_identity',
    'signed_in_future',
    'testing_key',
    'breaks_dkim',
  ],
  ...['sender_subject_unsigned', 'to_unsigned', 'cc_unsigned', 'date_unsigned', 'encoding_unsigned'],
]);

function ruleOf(code: string, { raw }: HeaderField): string | null {
  if (code !== 'not_signed') return ourRules.has(code) ? code : null;
  const value = raw.slice(raw.indexOf(':') + 1).replaceAll('\r\n', '');
  const tag = (name: string) =>
    new RegExp(`(?:^|;)[ \\t]*${name}[ \\t]*=([^;]*)`).exec(value)?.[1]?.replace(/[ \t]/g, '') ?? '';
  if (/[^\x20-\x7e\t]/.test(value)) return 'a character in a signature that is not ASCII';
  const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  if (!isBase64(tag('b'))) return 'b= that is not base64';
  if (/^:|::|:$/.test(tag('h'))) return 'a name of nothing in h=';
  if (
    !/^(?:relaxed|simple)(?:\/(?:relaxed|simple))?$/.test(tag('c') || 'simple') ||
    /(?:^|;)[ \t]*c[ \t]*=/.test(value)
  )
    return 'c= written otherwise';
  return null;
}

function said(origin: Origin): string {
  return origin.outcome === 'verified' ? 'verified' : `${origin.outcome} ${JSON.stringify(origin.reason)}`;
}

type Base = { raw: Buffer; bank: Bank; key: MailKey; records: Record<string, string> };

/** Signed once: every kind of key and canonicalisation, what the drill has, and each bank's own samples. */
function baseMails(): { small: Base[]; banks: Base[] } {
  const name = 's1._domainkey.test.bank.in';
  const plain = [rsa, rsa, mailKey(2048), ed25519, ed25519].flatMap(key =>
    ['relaxed/relaxed', 'simple/simple', 'relaxed/simple', 'simple/relaxed'].map((canon, i) => ({
      raw: signedAlert(undefined, undefined, {
        key,
        canon,
        tags: [`t=${noonSeconds - 5}`, i % 2 ? 'i=@test.bank.in' : 'i=@sub.test.bank.in'],
      }),
      bank: testBank(),
      key,
      records: { [name]: key.record },
    })),
  );
  const drawn = genuineMails().map(({ raw, bank }) => ({ raw, bank, key: mailKey(), records: bankZone() }));
  const { credits, others } = alertCorpus();
  const banks = [...credits, ...others].map(({ raw, bank, dns }) => ({
    raw,
    bank,
    key: mailKey(),
    records: dns,
  }));
  return { small: [...plain, ...drawn], banks };
}

const pieces = [
  ...[' ', '\t', '\r\n ', '\r\n\t', ';', ';;', '=', ' ; ', ':', '\xa0', '\x0b', '\0', '"', '(', '@', '.'],
  ...[
    '; b=',
    '; b=AAAA',
    '; l=3',
    '; z=a:b=c',
    '; q=dns/txt',
    '; q=x',
    '; i=@test.bank.in',
    '; c=simple',
    '; v=1',
    '; x=1',
  ],
];

function drawCase(chance: Chance, { small, banks }: ReturnType<typeof baseMails>): Case {
  const { pick, maybe } = chance;
  const draw = chance.random();
  if (draw < 0.3) {
    const { raw, bank, records } = pick(maybe(0.07) ? banks : small);
    return { kind: 'mail', raw: change(raw, chance.random), bank, records };
  }
  if (draw < 0.5) {
    const { raw, bank, records } = pick(maybe(0.03) ? banks : small);
    const text = raw.toString('latin1');
    const found = /^DKIM-Signature:[^\r]*(?:\r\n[ \t][^\r]*)*/im.exec(text)!;
    const field = chance.scratch(found[0], pieces);
    const changed = text.slice(0, found.index) + field + text.slice(found.index + found[0].length);
    return { kind: 'signature header', raw: Buffer.from(changed, 'latin1'), bank, records };
  }
  if (draw < 0.65) {
    const { raw, bank, key, records } = pick(small);
    const name = Object.keys(records)[0]!;
    const record = oddRecord(chance, key);
    const others = maybe(0.1) ? [maybe(0.5) ? key.record : oddRecord(chance, key)] : undefined;
    return {
      kind: 'key record',
      raw,
      bank,
      records: { [name]: others ? { kind: 'found', record, others } : record },
    };
  }
  return drawSigned(chance);
}

let last: ({ key: MailKey } & ReturnType<typeof oddlySigned>) | undefined;
let left = 0;

function drawSigned(chance: Chance): Case {
  const { pick, maybe, below } = chance;
  // Signing is the dearest part, so that each is sent in a few ways.
  if (left-- <= 0 || last === undefined) {
    const key = pick(keys);
    last = { key, ...oddlySigned(chance, key) };
    left = 2;
  }
  const { key, lines, body, signature } = last;
  const all = [...lines];
  all.splice(maybe(0.8) ? 0 : below(all.length + 1), 0, signature);
  if (maybe(0.12)) {
    const other = maybe(0.2) ? oddlySigned(chance, key).signature : chance.scratch(signature, pieces);
    all.splice(below(all.length + 1), 0, other);
  }
  let sent = body;
  if (maybe(0.08))
    all.unshift(
      pick(['X-A: above', 'X-Other: 1', 'Received: from a', 'Cc: merchant@shop.in', 'Reply-To: a@b.in']),
    );
  // Changes that relaxed canonicalisation ignores, and simple does not.
  if (maybe(0.15))
    sent = pick([
      `${body}\r\n`,
      body.replace(' ', '  '),
      body.replace('\r\n', ' \r\n'),
      `${body} `,
      body.trimEnd(),
    ]);
  if (maybe(0.05)) sent = oddBody(chance);
  let head = all.join('\r\n');
  if (maybe(0.1))
    head = head.replace(
      pick([/: /, / /, /Subject:/, /,/]),
      pick([':', '  ', 'SUBJECT:', ',\r\n ', ' \t', '\r\n ']),
    );
  const record = maybe(0.85) ? key.record : oddRecord(chance, key);
  const answer = maybe(0.02) ? pick<KeyAnswer>([{ kind: 'temporary' }, { kind: 'not_found' }]) : record;
  const names = ['s1', 's_1', 's-1', 's1.x'].map(selector => `${selector}._domainkey.test.bank.in`);
  const records = Object.fromEntries([...names, 's1._domainkey.new.bank.in'].map(name => [name, answer]));
  const bank = { ...testBank(), dateMayBeUnsigned: maybe(0.5) };
  return { kind: 'signing', raw: Buffer.from(`${head}\r\n\r\n${sent}`, 'latin1'), bank, records };
}

/** The canonical forms of bodies, which a signature's hash stands for, against the library's own. */
export function compareBodies(count: number, seed: number): string[] {
  const chance = chanceFrom(randomFrom(seed));
  const wrong: string[] = [];
  for (let i = 0; i < count; i++) {
    const body = Buffer.from(
      chance.maybe(0.5) ? oddBody(chance) : oddBody(chance) + oddBody(chance),
      'latin1',
    );
    for (const canon of ['relaxed', 'simple'] as const) {
      const hash = dkimBody(canon, 'sha256');
      hash.update(body);
      const own = createHash('sha256').update(canonicaliseBody(body, canon)).digest('base64');
      if (hash.digest('base64') !== own) wrong.push(`body ${i}, ${canon}: ${body.toString('base64')}`);
    }
  }
  return wrong;
}
