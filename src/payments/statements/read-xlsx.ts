import { StringDecoder } from 'node:string_decoder';
import { createInflateRaw } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { day } from '../../base/clock.ts';
import { longestCell, mostColumns, mostRows, mostUnpackedBytes, StatementFault } from './table-limits.ts';

/**
 * The first visible sheet's rows, as text: dates as yyyy-mm-dd, numbers as they are stored. Formulas are not
 * evaluated; only their saved values are read. Nothing outside the file is fetched.
 */
export async function readXlsx(bytes: Buffer): Promise<string[][]> {
  const zip = openZip(bytes);
  const { sheet, epoch } = await findSheet(zip);
  const strings = await readStrings(zip);
  const isDate = await readDateStyles(zip);
  return await readRows(zip, sheet, { strings, isDate, epoch });
}

type Listener = {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
};

/** Document types are not read, so no entity can grow or lead anywhere. */
async function readXml(zip: Zip, name: string, { open, text, close }: Listener): Promise<void> {
  const parser = new Parser(
    {
      ...(open && {
        onopentag: (tag: string, attributes: Record<string, string>) => open(bare(tag), attributes),
      }),
      ...(text && { ontext: text }),
      ...(close && { onclosetag: (tag: string) => close(bare(tag)) }),
    },
    { xmlMode: true },
  );
  const decoder = new StringDecoder('utf8');
  for await (const chunk of zip.read(name)) parser.write(decoder.write(chunk));
  parser.end(decoder.end());
}

/** Some programs write `x:row` for `row`. */
function bare(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

const [since1900, since1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];

async function findSheet(zip: Zip): Promise<{ sheet: string; epoch: number }> {
  if (!zip.has('xl/workbook.xml') || !zip.has('xl/_rels/workbook.xml.rels'))
    throw new StatementFault('damaged');
  let epoch = since1900;
  let wanted: string | null = null;
  await readXml(zip, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes['date1904'] ?? '')) epoch = since1904;
      if (name === 'sheet' && (attributes['state'] ?? 'visible') === 'visible')
        wanted ??= Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? null;
    },
  });
  let target: string | null = null;
  await readXml(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship' && attributes['Id'] === wanted) target = attributes['Target'] ?? null;
    },
  });
  const path = (target as string | null) ?? '';
  const sheet = path.startsWith('/') ? path.slice(1) : `xl/${path}`;
  if (!zip.has(sheet)) throw new StatementFault('damaged');
  return { sheet, epoch };
}

/** A text may be in several pieces, each with its own style. Its pronunciation is not part of it. */
async function readStrings(zip: Zip): Promise<string[]> {
  const strings: string[] = [];
  if (!zip.has('xl/sharedStrings.xml')) return strings;
  let [text, inText, isPhonetic] = ['', false, false];
  await readXml(zip, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'rPh') isPhonetic = true;
      inText = name === 't' && !isPhonetic;
    },
    text(piece) {
      if (inText) text = appended(text, piece);
    },
    close(name) {
      inText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      if (strings.push(text) > mostRows * 8) throw new StatementFault('too_many_lines');
      text = '';
    },
  });
  return strings;
}

/** The number formats that show a day and that every program knows. */
const isDateFormat = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

async function readDateStyles(zip: Zip): Promise<boolean[]> {
  const styles: boolean[] = [];
  if (!zip.has('xl/styles.xml')) return styles;
  const own = new Map<number, boolean>();
  let inCells = false;
  await readXml(zip, 'xl/styles.xml', {
    open(name, attributes) {
      if (name === 'numFmt')
        own.set(Number(attributes['numFmtId']), showsDay(attributes['formatCode'] ?? ''));
      if (name === 'cellXfs') inCells = true;
      const id = Number(attributes['numFmtId'] ?? 0);
      if (name === 'xf' && inCells) styles.push(own.get(id) ?? isDateFormat(id));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** `d` and `y` mean days and years, unless quoted or in brackets. */
function showsDay(format: string): boolean {
  return /[dy]/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));
}

type Sheet = { strings: readonly string[]; isDate: readonly boolean[]; epoch: number };

async function readRows(zip: Zip, name: string, sheet: Sheet): Promise<string[][]> {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = { column: -1, type: '', style: 0 };
  let [value, inValue] = ['', false];
  await readXml(zip, name, {
    open(tag, attributes) {
      if (tag === 'row') row = [];
      if (tag === 'c') {
        cell = {
          column: columnOf(attributes['r'] ?? '') ?? row.length,
          type: attributes['t'] ?? 'n',
          style: Number(attributes['s'] ?? 0),
        };
        value = '';
      }
      inValue = tag === 'v' || tag === 't';
    },
    text(piece) {
      if (inValue) value = appended(value, piece);
    },
    close(tag) {
      inValue = false;
      // Empty cells with a style may be anywhere.
      if (tag === 'c' && value !== '') {
        if (cell.column >= mostColumns) throw new StatementFault('too_wide');
        while (row.length < cell.column) row.push('');
        row[cell.column] = shown(value, cell, sheet);
      }
      if (tag === 'row' && row.some(text => text !== '') && rows.push(row) > mostRows)
        throw new StatementFault('too_many_lines');
    },
  });
  return rows;
}

function appended(text: string, piece: string): string {
  if (text.length + piece.length > longestCell) throw new StatementFault('cell_too_long');
  return text + piece;
}

/** A1 is column 0. Null if the cell does not say it. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const lastSerial = 80_000;

function shown(value: string, { type, style }: { type: string; style: number }, sheet: Sheet): string {
  if (type === 's') return sheet.strings[Number(value)] ?? '';
  const serial = Number(value);
  if (type !== 'n' || value === '' || !sheet.isDate[style] || !(serial > 0 && serial < lastSerial))
    return value;
  return new Date(sheet.epoch + Math.floor(serial) * day).toISOString().slice(0, 10);
}

/** An archive's files. Each is unpacked in pieces when it is asked for. */
type Zip = { has(name: string): boolean; read(name: string): AsyncIterable<Buffer> };

type Entry = { method: number; packed: number; at: number };

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const endLength = 22;
const longestComment = 0xffff;
const mostEntries = 2_000;
const [stored, deflated] = [0, 8];

/**
 * Reads a ZIP archive's directory. Only requested files are unpacked, all together to at most `mostUnpackedBytes`. The
 * sizes that the directory claims are never trusted.
 */
function openZip(bytes: Buffer): Zip {
  const entries = readDirectory(bytes);
  let unpacked = 0;
  return {
    has: name => entries.has(name),
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) throw new StatementFault('damaged');
      for await (const chunk of unpack(bytes, entry)) {
        unpacked += chunk.length;
        if (unpacked > mostUnpackedBytes) throw new StatementFault('unpacks_too_large');
        yield chunk;
      }
    },
  };
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > mostEntries) throw new StatementFault('damaged');
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let read = 0; read < count; read++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== directorySignature) throw new StatementFault('damaged');
    const [nameLength, extra, comment] = [28, 30, 32].map(place => bytes.readUInt16LE(at + place));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
    entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength! + extra! + comment!;
  }
  return entries;
}

/** The end record is last, except for a comment. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - longestComment);
  for (let at = bytes.length - endLength; at >= first; at--) {
    if (bytes.readUInt32LE(at) === endSignature) return at;
  }
  throw new StatementFault('damaged');
}

async function* unpack(bytes: Buffer, { method, packed, at }: Entry): AsyncGenerator<Buffer> {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== fileSignature) throw new StatementFault('damaged');
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  if (start + packed > bytes.length) throw new StatementFault('damaged');
  const content = bytes.subarray(start, start + packed);
  if (method === stored) {
    yield content;
    return;
  }
  if (method !== deflated) throw new StatementFault('damaged');
  const inflate = createInflateRaw();
  inflate.end(content);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch {
    throw new StatementFault('damaged');
  }
}
