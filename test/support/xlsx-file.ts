import { crc32, deflateRawSync } from 'node:zlib';

type Part = { name: string; content: Buffer; packed?: Buffer; claims?: number };

/** A ZIP archive as table programs write them; `packed` and `claims` let a hostile one say what it likes. */
export function zipFile(parts: readonly Part[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, packed = deflateRawSync(content), claims = content.length } of parts) {
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(claims, 8);
    const named = Buffer.from(name);
    const lengths = Buffer.from([named.length, 0, 0, 0]);
    const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]), sizes, lengths]);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, named, packed]);
    const place = Buffer.alloc(4);
    place.writeUInt32LE(at);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(10), place, named]),
    );
    files.push(file);
    at += file.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, list, end]);
}

const xml = (name: string, text: string): Part => ({
  name,
  content: Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`),
});

/** A workbook with one sheet; strings are shared, numbers and days are numbers, as Excel stores them. */
export function xlsxFile(rows: readonly (readonly (string | number | Date)[])[], more: Part[] = []): Buffer {
  const strings: string[] = [];
  const cell = (value: string | number | Date, row: number, column: number): string => {
    const place = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (value === '') return '';
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    if (value instanceof Date)
      return `<c r="${place}" s="1"><v>${(value.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000}</v></c>`;
    return `<c r="${place}" t="s"><v>${strings.push(value) - 1}</v></c>`;
  };
  const lines = rows.map(
    (row, at) => `<row r="${at + 1}">${row.map((value, column) => cell(value, at, column)).join('')}</row>`,
  );
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return zipFile([
    xml(
      'xl/workbook.xml',
      '<workbook xmlns:r="r"><sheets><sheet name="Hidden" state="hidden" r:id="rId9"/><sheet name="Statement" r:id="rId1"/></sheets></workbook>',
    ),
    xml(
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    xml(
      'xl/styles.xml',
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ),
    xml('xl/worksheets/sheet1.xml', `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`),
    // Rich text and how it is pronounced, as programs of Japan write it.
    xml(
      'xl/sharedStrings.xml',
      `<sst>${strings.map(text => `<si><r><t>${escaped(text.slice(0, 3))}</t></r><r><t xml:space="preserve">${escaped(text.slice(3))}</t></r><rPh><t>aside</t></rPh></si>`).join('')}</sst>`,
    ),
    ...more,
  ]);
}
