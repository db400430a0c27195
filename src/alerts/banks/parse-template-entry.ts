import { noCredit } from '../../texts/en/reasons-of-mails.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { normaliseText } from '../mail/plain-text.ts';
import type { Negative, Template, WrittenRow } from './bank.ts';
import {
  checkBody,
  checkHeading,
  checkOpening,
  checkRows,
  checkSlots,
  checkSubject,
} from './check-template.ts';
import {
  compileBody,
  compileGuards,
  compileLeads,
  compileOpening,
  compilePhrase,
  compileRow,
  compileRowLeads,
  compileSubject,
} from './compile-template.ts';
import { type Piece, parseTemplate, TemplateError } from './parse-template.ts';
import {
  BanksFileError,
  flagOf,
  type Lined,
  objectOf,
  oneOf,
  required,
  textOf,
} from './read-json-with-lines.ts';

export function parseTemplateEntry(value: Lined): Template & { readonly line: number } {
  const fields = objectOf(value, 'a template', [
    ...['id', 'channel', 'unconfirmed', 'reason', 'subject', 'body', 'rows'],
  ]);
  const field = (name: string) => required(fields, name, value.line, 'a template');
  const id = textOf(field('id'), '"id"');
  if (!/^[a-z0-9-]{2,60}$/.test(id))
    throw new BanksFileError(
      field('id').line,
      `"id" must be lower-case letters, digits and hyphens, not "${id}"`,
    );
  const channel = oneOf(field('channel'), '"channel"', ['upi', 'imps', 'any', 'other']);
  const unconfirmed = fields.get('unconfirmed');
  const reason = fields.get('reason');
  if (reason !== undefined && channel !== 'other')
    throw new BanksFileError(reason.line, '"reason" belongs only to a template whose channel is "other"');
  const bodyText = wordsOf(field('body'), '"body"');
  const body = mended(field('body'), `the body of template "${id}"`, () => {
    const pieces = parseTemplate(bodyText);
    if (fields.has('rows')) checkHeading(pieces);
    else checkBody(pieces, channel);
    return pieces;
  });
  const rows = fields.has('rows') ? rowsOf(field('rows'), id, body, channel) : null;
  const subjects = subjectsOf(field('subject'), id);
  const isUnconfirmed = unconfirmed === undefined ? false : flagOf(unconfirmed, '"unconfirmed"');
  if (channel !== 'other' && !isUnconfirmed && subjects.some(subject => subject.text === anySubject))
    throw new BanksFileError(
      field('subject').line,
      `template "${id}" may have ${anySubject} only while unconfirmed`,
    );
  return {
    line: value.line,
    id,
    channel,
    unconfirmed: isUnconfirmed,
    reason: reason === undefined ? null : reasonOf(reason),
    subject: compileSubject(subjects.map(subject => subject.pieces)),
    body: compileBody(body),
    rows: rows?.compiled ?? null,
    guards: rows === null ? compileGuards(body) : [],
    leads: channel === 'other' ? [] : (rows?.leads ?? compileLeads(body)),
    written: { subjects: subjects.map(subject => subject.text), body: bodyText, rows: rows?.written ?? [] },
  };
}

function rowsOf(value: Lined, id: string, heading: readonly Piece[], channel: Template['channel']) {
  if (value.kind !== 'object') throw new BanksFileError(value.line, '"rows" must be an object');
  const rows = [...value.fields].map(([written, field]) => {
    const label = normaliseText(written.replace(/^\[(.*)\]$/s, '$1')).replace(/ ?:$/, '');
    return { written, label, text: textOf(field, `the row "${label}"`), field };
  });
  return mended(value, `the rows of template "${id}"`, () => {
    const parsed = rows.map(row => ({ ...row, value: parseTemplate(row.text) }));
    checkRows(heading, parsed, channel);
    return {
      compiled: parsed.map(row => compileRow(row.written, row.label, row.value)),
      leads: parsed.flatMap(row => compileRowLeads(row.label, row.value)),
      written: rows.map(({ written, text }) => [written, text] as const satisfies WrittenRow),
    };
  });
}

export function parseNegative(value: Lined): Negative {
  const fields = objectOf(value, 'a negative', ['subject', 'body', 'reason']);
  const phrase = (name: 'subject' | 'body'): RegExp | null => {
    const field = fields.get(name);
    if (field === undefined) return null;
    const pieces = mended(field, `the ${name} of a negative`, () =>
      parseTemplate(wordsOf(field, `"${name}"`)),
    );
    return compilePhrase(pieces);
  };
  const [subject, body] = [phrase('subject'), phrase('body')];
  if (subject === null && body === null)
    throw new BanksFileError(value.line, 'a negative needs a "subject" or a "body"');
  return { subject, body, reason: reasonOf(required(fields, 'reason', value.line, 'a negative')) };
}

/** A code of ours has a text in every language. An operator's own sentence is shown unchanged in all of them. */
function reasonOf(value: Lined): Reason {
  const text = textOf(value, '"reason"');
  const code = noCreditCodes.find(one => one === text);
  if (code) return because(code);
  if (!text.includes(' '))
    throw new BanksFileError(
      value.line,
      `"reason" must be one of ${noCreditCodes.join(', ')}, or a sentence`,
    );
  return because('quoted', { sentence: text });
}

const noCreditCodes = Object.keys(noCredit) as (keyof typeof noCredit)[];

export function parseOpening(value: Lined): RegExp {
  return openingOf(value, checkOpening);
}

/** A greeting may end in a colon. Only `every-bank.json` lists greetings, not a bank's entry. */
export function parseGreeting(value: Lined): RegExp {
  return openingOf(value, checkSlots);
}

function openingOf(value: Lined, check: (pieces: readonly Piece[]) => void): RegExp {
  return mended(value, 'an opening', () => {
    const pieces = parseTemplate(textOf(value, 'an opening'));
    check(pieces);
    return compileOpening(pieces);
  });
}

const anySubject = '{any}';

/** A long template may span several lines of the file, which are joined by a space. */
function wordsOf(value: Lined, what: string): string {
  if (value.kind !== 'list') return textOf(value, what);
  return value.items.map(item => textOf(item, what)).join(' ');
}

/** `{any}` matches every subject, for a template whose subject is unpublished. Then only the body decides. */
function subjectsOf(value: Lined, id: string): { text: string; pieces: readonly Piece[] }[] {
  const items = value.kind === 'list' ? value.items : [value];
  if (items.length === 0)
    throw new BanksFileError(value.line, `template "${id}" has an empty list of subjects`);
  return items.map(item => {
    const text = textOf(item, '"subject"');
    if (text === anySubject) return { text, pieces: [] };
    const pieces = mended(item, `a subject of template "${id}"`, () => {
      const parsed = parseTemplate(text);
      checkSubject(parsed);
      return parsed;
    });
    return { text, pieces };
  });
}

function mended<T>(value: Lined, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TemplateError) throw new BanksFileError(value.line, `${what} ${error.message}`);
    throw error;
  }
}
