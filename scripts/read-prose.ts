import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A piece of text that is read at once: a paragraph, a list item, a heading, a table cell or a comment. */
export type Piece = { kind: 'text' | 'heading' | 'cell' | 'comment'; line: number; text: string };
export type PaperFile = { file: string; pieces: Piece[] };

/** Every document and every comment of our TypeScript in the checkout at `folder`. A source that is not `worth` it is not parsed. */
export function readProse(folder: string, worth: (source: string) => boolean = () => true): PaperFile[] {
  return execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.tsx'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  )
    .split('\n')
    .filter(file => file !== '' && existsSync(join(folder, file)))
    .map(file => {
      const text = readFileSync(join(folder, file), 'utf8');
      if (file.endsWith('.md')) return { file, pieces: readDocument(text) };
      return { file, pieces: worth(text) ? readComments(file, text) : [] };
    });
}

/** The prose of a Markdown file: without code blocks, code spans, addresses of links and marks. */
function readDocument(text: string): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  let fence: string | null = null;
  for (const [index, raw] of text
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .split('\n')
    .entries()) {
    const [, opening = null] = /^\s*(?:> )?(```+|~~~+)/.exec(raw) ?? [];
    if (fence !== null || opening !== null) {
      if (fence === null) fence = opening;
      else if (opening?.startsWith(fence)) fence = null;
      open = null;
      continue;
    }
    const line = raw.replace(/^[\s>]+/, '').trimEnd();
    if (line.startsWith('|')) {
      open = null;
      if (/^[|\s:-]+$/.test(line)) continue;
      const cells = line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/);
      for (const cell of cells) pieces.push({ kind: 'cell', line: index + 1, text: plain(cell) });
      continue;
    }
    const [bullet] = /^(?:[-*+] (?:\[[ x]\] )?|\d+[.)] |#{1,6} )/.exec(line) ?? [];
    if (line === '') open = null;
    else if (bullet !== undefined || open === null) {
      const kind = line.startsWith('#') ? 'heading' : 'text';
      open = { kind, line: index + 1, text: line.slice(bullet?.length ?? 0) };
      pieces.push(open);
      if (kind === 'heading') open = null;
    } else open.text += ` ${line}`;
  }
  return pieces.map(piece => (piece.kind === 'cell' ? piece : { ...piece, text: plain(piece.text) }));
}

/** Every comment, with the lines of one that follow each other joined. */
function readComments(file: string, source: string): Piece[] {
  const pieces: Piece[] = [];
  let [end, line, counted] = [-1, 1, 0];
  for (const { type, value, start, end: next } of parseSync(file, source).comments) {
    const between = end < 0 ? '' : source.slice(end, start);
    const continues =
      type === 'Line' && end >= 0 && /^\s*$/.test(between) && between.split('\n').length === 2;
    line += source.slice(counted, start).split('\n').length - 1;
    [counted, end] = [start, type === 'Line' ? next : -1];
    const text = plain(value.replaceAll(/^\s*\*+ ?/gm, '').replaceAll(/\s+/g, ' '));
    const last = pieces.at(-1);
    if (continues && last) last.text += ` ${text}`;
    else if (!/^(?:biome-ignore|@ts-|<reference|#)/.test(text)) pieces.push({ kind: 'comment', line, text });
  }
  return pieces;
}

function plain(text: string): string {
  return text
    .replaceAll(/``.+?``|`[^`]*`/g, 'CODE')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<?https?:\/\/[^\s>)]*>?/g, 'ADDRESS')
    .replaceAll(/\*\*|(?<![\w*])[*_](?=\w)|(?<=[\w.])[*_](?![\w*])/g, '')
    .trim();
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, '');

/** The sentences of a piece. An abbreviation ends none. */
export function sentencesOf({ text }: Piece): string[] {
  return text
    .replaceAll(/\b(e\.g|i\.e|etc|vs|No|Rs|Mr|Ms|approx)\. /g, '$1 ')
    .split(/(?<=[.!?।]["”’)]*)\s+(?=["“‘(]*[\p{Lu}\p{Lo}\d])/u)
    .filter(sentence => /\p{L}/u.test(sentence));
}

export const wordsOf = (text: string): number =>
  text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length;
