import type { KeyAnswer, KeySource } from './key-source.ts';

/**
 * DNS as a file: names to TXT strings, for `explain-alert --dns` and for tests. A list is one long record cut into
 * strings, as DNS cuts it, or several records; `SERVFAIL` fails its name. Null when the file has another form.
 */
export function readZone(json: string): KeySource | null {
  let zone: unknown;
  try {
    zone = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof zone !== 'object' || zone === null || Array.isArray(zone)) return null;
  const answers = new Map<string, KeyAnswer>();
  for (const [name, value] of Object.entries(zone)) {
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    if (!texts.every(text => typeof text === 'string')) return null;
    answers.set(name.toLowerCase().replace(/\.$/, ''), answerFrom(texts));
  }
  return async name => answers.get(name.toLowerCase()) ?? { kind: 'not_found' };
}

function answerFrom(texts: readonly string[]): KeyAnswer {
  if (texts.length === 1 && texts[0] === 'SERVFAIL') return { kind: 'temporary' };
  const several = texts.slice(1).some(text => /^\s*v\s*=/i.test(text));
  return chooseRecord(several ? texts : [texts.join('')]);
}

/** A bank that changes its key may publish both for a while; nobody has a use for more. */
export const mostOthers = 3;

/** Of several TXT records of one name those that are keys at all, in their order; other texts may stand beside them. */
export function chooseRecord(records: readonly string[]): KeyAnswer {
  const [first, ...others] = records.filter(one => /(?:^|;)\s*p\s*=/.test(one));
  const record = first ?? records[0];
  if (record === undefined || record === '') return { kind: 'not_found' };
  return { kind: 'found', record, ...(others.length > 0 && { others: others.slice(0, mostOthers) }) };
}
