/** The screen that compares a bank's statement with its mails. */
export const statement = {
  text: 'Compare what your bank booked with the mails that Milaan read. Orders that the statement confirms, or should have and does not, are marked so; nothing else is changed, however often you do it.',
  file: 'Statement of the bank',
  fileHint:
    'CSV or XLSX, as your bank gives it for download; at most 12 MB and 50,000 lines. It is read and not kept.',
  tooLarge: 'This file is larger than 12 MB. Download a shorter time from the bank.',
  compare: 'Compare',
  noBank: 'No UPI account names its bank yet. A statement is compared with the mails of one bank.',
  fileMissing: 'Choose the file that you downloaded from the bank.',
  tooOften: 'You have compared many files within an hour. Please wait a little.',
  tooManyMails:
    'More mails came in these days than can be compared at once. Download a shorter time from the bank.',
  faults: {
    empty: 'The file is empty.',
    old_excel:
      'This is a file of an old Excel, or one with a password. Open it and save it as XLSX or CSV, without a password.',
    pdf: 'This is a PDF. Ask your bank for the statement as CSV or XLSX.',
    web_page:
      'This file calls itself a table and is a web page. Open it in a table program and save it as XLSX or CSV.',
    not_text: 'The file is neither a table nor text that can be read.',
    damaged: 'The file is damaged, or is no table. Download it again.',
    unpacks_too_large: 'The file unpacks to far more than a statement holds, so it was not read.',
    too_many_lines: 'The statement has more than 50,000 lines. Download a shorter time.',
    too_wide: 'The table has more than 100 columns. That is no statement of an account.',
    cell_too_long: 'A cell of the table is far longer than a bank writes, so the file was not read.',
    no_columns:
      'It is not clear which columns hold the date and the money that came in. Choose them below and choose the file again.',
    no_credits:
      'No payment by UPI was found in these columns. Put them right below and choose the file again.',
    gave_up: 'Reading this file took too much time or memory, so it was given up.',
    busy: 'Other files are being read at this moment. Please try again in a minute.',
  },
  matched: 'Booked, and told by a mail',
  orders: {
    zero: 'none of them paid an order',
    one: 'one of them paid an order',
    other: '{count} of them paid orders',
  },
  others: 'Other money that came in',
  othersText: '{count}, neither UPI nor IMPS: not compared',
  unclear: 'Lines that could not be read',
  unclearText: '{count}; so nothing is said to be missing from this statement',
  newlyConfirmed: 'Orders newly confirmed by it',
  newlyMissing: {
    one: 'One order was paid by a mail, and this statement covers its day and does not have it.',
    other: '{count} orders were paid by a mail, and this statement covers their days and does not have them.',
  },
  missedOne: 'One payment of {sum} was booked and no mail told of it.',
  missed: '{count} payments, {sum} together, were booked and no mail told of them.',
  missedText:
    'A mail was missed: look into the mailbox, Spam included, whether the bank wrote at all, and whether its alerts are still switched on.',
  allTold: 'Every payment of this statement was told by a mail.',
  untold: 'In the statement, without a mail',
  refused: 'In the statement, and the mail was refused',
  refusedText: 'The bank wrote, but about another account or to an address that is not listed.',
  differing: 'The sum differs',
  differingText: 'The same reference stands for two different sums. Ask the bank.',
  unlisted: 'Told by a mail, not in the statement',
  unlistedText:
    'A payment of the last evening may be booked on the next day; also check that the statement is of this account and bank.',
  description: 'Description',
  toldAmount: 'In the mail',
  mail: 'Mail',
  columns: 'Columns',
  columnsText:
    'This is how the file was read. If something is wrong, put it right and choose the file again; it is remembered for this bank.',
  columnNames: {
    date: 'Date',
    amount: 'Money that came in',
    direction: 'In or out',
    reference: 'Reference number',
    description: 'Description',
  },
  directionHint: 'Only where one column holds both.',
  readAgain: 'Read again with these columns',
} as const;
