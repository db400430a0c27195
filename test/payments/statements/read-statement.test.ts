import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatement, type Statement } from '../../../src/payments/statements/read-statement.ts';
import { xlsxFile, zipFile } from '../../support/xlsx-file.ts';

async function read(
  file: string | Buffer,
  chosen: Parameters<typeof readStatement>[1] = null,
): Promise<Statement> {
  const statement = await readStatement(Buffer.from(file as string), chosen);
  if ('fault' in statement) assert.fail(statement.fault);
  return statement;
}

async function fault(file: string | Buffer): Promise<string> {
  const statement = await readStatement(Buffer.from(file as string), null);
  return 'fault' in statement ? statement.fault : 'read';
}

const wanted = [
  {
    day: '2026-11-14',
    amount: 499_37,
    reference: '691812345678',
    text: 'UPI-MEERA-meera@okaxis-691812345678-Payment',
  },
  { day: '2026-11-15', amount: 1_00_000_50, reference: '691912345679', text: 'UPI/691912345679/CR, order 7' },
];

test('a bank’s CSV is read: lines above the table, quotes and commas; debits and the total are no payments', async () => {
  const file = [
    'Account statement,,,,,,',
    'Name,MEERA SHARMA,"12, MG Road, Pune",,,,',
    '',
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    '********,**********,****,****,****,****,****',
    '14/11/26,UPI-MEERA-meera@okaxis-691812345678-Payment,0000691812345678,14/11/26,,499.37,"1,499.37"',
    '14/11/26,UPI-RENT-landlord@ybl-691812340000,0000691812340000,14/11/26,"9,000.00",,499.37',
    '15/11/26,"UPI/691912345679/CR, order 7",0000691912345679,15/11/26,,"1,00,000.50","1,00,499.87"',
    '15/11/26,NEFT CR ICIC0000001 ACME,N31926,15/11/26,,700.00,101199.87',
    ',,,TOTAL,9000.00,"1,01,199.87",',
  ].join('\r\n');
  const statement = await read(`\ufeff${file}`);
  assert.deepEqual(statement.lines, wanted);
  assert.deepEqual([statement.others.length, statement.unclear], [1, 0]);
  assert.deepEqual(statement.columns, {
    date: 'Date',
    amount: 'Deposit Amt.',
    direction: null,
    reference: 'Chq./Ref.No.',
    description: 'Narration',
  });
});

test('an XLSX gives the same: days and numbers are stored as numbers, and hidden sheets are ignored', async () => {
  const statement = await read(
    xlsxFile([
      ['Statement of account'],
      ['Txn Date', 'Description', 'Ref No./Cheque No.', 'Debit', 'Credit', 'Balance'],
      [new Date('2026-11-14'), wanted[0]!.text, 691812345678, '', 499.37, 1499.37],
      [new Date('2026-11-15'), wanted[1]!.text, '691912345679', '', 100000.5, 101499.87],
    ]),
  );
  assert.deepEqual(statement.lines, wanted);
  assert.equal(statement.columns.amount, 'Credit');
});

test('one sum column with a direction column, tabs, UTF-16 and month names are read', async () => {
  const file = [
    'Transaction Date\tParticulars\tAmount\tDr / Cr',
    `14-Nov-2026\t${wanted[0]!.text}\t499.37\tCR`,
    '14-Nov-2026\tUPI/691812340000\t9,000.00\tDR',
    `15 November 2026 10:42\t${wanted[1]!.text}\t₹ 1,00,000.50\tCredit`,
  ].join('\n');
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(file, 'utf16le')]);
  assert.deepEqual((await read(utf16)).lines, wanted);
  assert.deepEqual((await read(file.replaceAll('\t', '|'))).lines, wanted);
});

test('columns that a person chose are used, and guessed again if the file does not have them', async () => {
  const file = 'When,What,In,Tag\n2026-11-14,UPI 691812345678,5.00,x\n';
  assert.equal(await fault(file), 'no_columns');
  const chosen = { date: 'When', amount: 'In', direction: null, reference: null, description: 'What' };
  const { lines } = await read(file, chosen);
  assert.deepEqual(lines, [
    { day: '2026-11-14', amount: 500, reference: '691812345678', text: 'UPI 691812345678' },
  ]);
  const other = await read('Date,Narration,Credit\n14/11/2026,UPI 691812345678,5.00\n', chosen);
  assert.equal(other.columns.amount, 'Credit');
});

test('a sum in brackets is a debit', async () => {
  const file = [
    'Date,Narration,Credit Amount,Ref',
    '01/11/2026,UPI back,(500.00),661000000001',
    '01/11/2026,UPI back,( Rs. 1,500.00 ),661000000002',
    '01/11/2026,UPI in,500.00,661000000003',
    '01/11/2026,UPI in,700.00 (Cr),661000000004',
  ];
  const csv = file.map(line => line.replace('( Rs. 1,500.00 )', '"( Rs. 1,500.00 )"')).join('\n');
  const { lines } = await read(csv);
  assert.deepEqual(
    lines.map(line => [line.amount, line.reference]),
    [
      [50000, '661000000003'],
      [70000, '661000000004'],
    ],
  );
});

test('an invalid day or sum is counted, and never guessed', async () => {
  const statement = await read(
    [
      'Date,Narration,Credit',
      '14/11/2026,UPI 1,5.00',
      '31/02/2026,UPI 2,5.00',
      '14/11/2026,UPI 3,5.0.0',
      '14/11/2026,UPI 4,4.12E+11',
    ].join('\n'),
  );
  assert.deepEqual([statement.lines.length, statement.unclear], [1, 3]);
});

test('hostile and unsuitable files are refused by name', async () => {
  const row = 'Date,Narration,Credit\n14/11/2026,UPI 691812345678,5.00\n';
  assert.equal(await fault(''), 'empty');
  assert.equal(await fault(Buffer.from('d0cf11e0a1b11ae1', 'hex')), 'old_excel');
  assert.equal(await fault('%PDF-1.7'), 'pdf');
  assert.equal(await fault('<html><table><tr><td>Date</table>'), 'web_page');
  assert.equal(await fault(Buffer.from([1, 0, 2, 0, 3])), 'not_text');
  assert.equal(await fault(`${row}14/11/2026,${'x'.repeat(2_001)},1\n`), 'cell_too_long');
  assert.equal(await fault(`${row}14/11/2026,"${'x'.repeat(9_000)}",1\n`), 'cell_too_long');
  assert.equal(await fault(`${row}14/11/2026,"never closed,1\n`), 'damaged');
  assert.equal(await fault(`${row}${'x,'.repeat(200)}\n`), 'too_wide');
  assert.equal(await fault(row.repeat(26_000)), 'too_many_lines');
  assert.equal(await fault('Date,Narration,Credit\n14/11/2026,cash,5.00\n'), 'no_credits');
  assert.equal(await fault(Buffer.from('PK\x03\x04 and nothing else')), 'damaged');
  assert.equal(await fault(zipFile([{ name: 'readme.txt', content: Buffer.from('x') }])), 'damaged');
});

test('a formula is read as its value, and a text that looks like one is text', async () => {
  const { lines } = await read(
    `Date,Narration,Credit\n14/11/2026,"=HYPERLINK(""http://x"") UPI 691812345678",5.00\n`,
  );
  assert.equal(lines[0]!.text, '=HYPERLINK("http://x") UPI 691812345678');
});
