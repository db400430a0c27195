import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import {
  type Comparison,
  compareStatement,
  type Difference,
  type Group,
  type StatementAccount,
} from '../../payments/statements/compare-statement.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { type Matched, matchOrders } from '../../payments/statements/match-orders.ts';
import {
  type ReportedCredit,
  saveColumns,
  selectColumns,
} from '../../payments/statements/queries/reported-credits.ts';
import { readInThread } from '../../payments/statements/read-in-thread.ts';
import type { StatementLine } from '../../payments/statements/read-lines.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { sayDay } from '../../texts/say-time.ts';
import { button, fileField, plainLink, selectField } from '../frame/controls.ts';
import { type Column, card, facts, moment, note, rupees, screen, table, titledCard } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, post, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';

const statementPath = '/dashboard/statement';

export const statementRoutes = [
  get(statementPath, 'orders.export', (world, visit) => statementPage(world, visit, null)),
  post(statementPath, { permission: 'orders.export', upload: mostStatementBytes }, takeStatement),
];

/** The page's content next to the form: a fault, or a compared statement. */
type Shown =
  | { fault: string; guessed?: Guessed }
  | { statement: Statement; comparison: Comparison; marked: Matched | null };

async function takeStatement(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts } = visit;
  const words = texts.statement;
  const refuse = (fault: string, guessed?: Guessed) =>
    statementPage(world, visit, { fault, ...(guessed && { guessed }) });
  const bytes = form.file('statement');
  if (bytes === null) return await refuse(words.fileMissing);
  const account = (await accountsOf(world, visit)).find(one => one.value === form.text('bank'));
  if (!account) return await refuse(words.noBank);
  const { bank } = account;
  // Each comparison takes a thread.
  if (!(await mayGuess(world, [{ kind: 'trying', whom: `statement ${merchantId}` }])))
    return await refuse(words.tooOften);
  const given = readColumns(visit);
  const read = await readInThread(bytes, given ?? (await selectColumns(world.sql, merchantId, bank)));
  if ('fault' in read) {
    const { fault, titles } = read;
    return await refuse(words.faults[fault], titles.length > 0 ? { titles, columns: given } : undefined);
  }
  if (given !== null && columnNames.every(name => given[name] === read.columns[name]))
    await saveColumns(world.sql, merchantId, bank, given);
  const comparison = await compareStatement(world.sql, merchantId, account, read);
  if (comparison === null) return await refuse(words.tooManyMails);
  // A person who may not decide about money can compare, but changes nothing for others.
  const marked = visit.may('money.decide')
    ? await world.sql.begin(tx =>
        matchOrders(tx, actorOf(visit), { bank, bankName: bankNames(world)(bank) }, comparison),
      )
    : null;
  if (marked === null)
    await makeChange(world, visit, async () => ({ action: 'statement.look', subject: bank }));
  return await statementPage(world, visit, { statement: read, comparison, marked });
}

/** The columns that a person chose, or null if the form did not ask. */
function readColumns({ form }: Visit): Columns | null {
  const [date, amount] = [form.text('date'), form.text('amount')];
  if (date === '' || amount === '') return null;
  const optional = (name: string) => form.text(name) || null;
  return {
    date,
    amount,
    direction: optional('direction'),
    reference: optional('reference'),
    description: optional('description'),
  };
}

/** Each bank account once, however many UPI IDs it has. If a bank has several, its statement covers one of them. */
async function accountsOf({ sql }: World, { merchantId }: Visit): Promise<AccountChoice[]> {
  const found = new Map<string, { bank: string; digits: string | null }>();
  for (const { bank, account_digits: digits } of await selectAccounts(sql, merchantId))
    if (bank !== null) found.set(`${bank} ${digits ?? ''}`, { bank, digits });
  return [...found].map(([key, one]) => ({
    ...one,
    value: [...found.values()].filter(({ bank }) => bank === one.bank).length === 1 ? one.bank : key,
  }));
}

async function statementPage(world: World, visit: Visit, shown: Shown | null): Promise<Answer> {
  const words = visit.texts.statement;
  const accounts = await accountsOf(world, visit);
  const fault = shown !== null && 'fault' in shown ? shown : null;
  const done = shown !== null && 'statement' in shown ? shown : null;
  const guessed = done?.statement ?? fault?.guessed;
  return screen(visit.texts.shell.navigation.statement, { text: words.text, status: fault ? 400 : 200 })`
${done && comparisonCards(visit, done)}
${guessed ? card(columnsForm(world, visit, accounts, guessed, fault?.fault), { title: words.columns }) : card(statementForm(world, visit, accounts, fault?.fault))}`;
}

/** A bank account to choose. The bank's id is enough if the bank has only one account. */
type AccountChoice = StatementAccount & { value: string };

/** The file's column titles, and the guess for each of them. */
type Guessed = { titles: readonly string[]; columns: Columns | null };

function statementForm(world: World, visit: Visit, accounts: readonly AccountChoice[], fault?: string): Html {
  const words = visit.texts.statement;
  if (accounts.length === 0)
    return html`<p>${words.noBank} <a href="/dashboard/upi-accounts">${visit.texts.shell.navigation.upiAccounts}</a></p>`;
  return uploadForm(html`${bankField(world, visit, accounts)}${statementField(visit, fault)}`, words.compare);
}

/** The same form with the read file's columns, to be corrected. */
function columnsForm(
  world: World,
  visit: Visit,
  accounts: readonly AccountChoice[],
  { titles, columns }: Guessed,
  fault?: string,
): Html {
  const words = visit.texts.statement;
  const select = (name: (typeof columnNames)[number]) =>
    selectField(name, words.columnNames[name], {
      value: columns?.[name] ?? '',
      choices: [
        { value: '', text: visit.texts.labels.none },
        ...titles.map(title => ({ value: title, text: title })),
      ],
      ...(name === 'direction' && { hint: words.directionHint }),
    });
  return html`<p class="quiet">${words.columnsText}</p>
${uploadForm(
  html`${bankField(world, visit, accounts)}<div class="grid">${columnNames.map(select)}</div>${statementField(visit, fault)}`,
  words.readAgain,
)}`;
}

function uploadForm(fields: Html, submit: string): Html {
  return html`<form method="post" action="${statementPath}" enctype="multipart/form-data" class="stack">
${fields}
<div class="actions">${button(submit)}</div>
</form>`;
}

function bankField(world: World, { texts, form }: Visit, accounts: readonly AccountChoice[]): Html {
  const name = bankNames(world);
  return selectField('bank', texts.labels.bank, {
    value: form.text('bank') || (accounts[0]?.value ?? ''),
    choices: accounts.map(({ bank, digits, value }) => ({
      value,
      text: value === bank ? name(bank) : `${name(bank)} …${digits ?? ''}`,
    })),
  });
}

function statementField({ texts }: Visit, error?: string): Html {
  const words = texts.statement;
  return fileField('statement', words.file, {
    hint: words.fileHint,
    accept: '.csv,.txt,.xlsx,.xls',
    mostBytes: mostStatementBytes,
    tooLarge: words.tooLarge,
    error,
  });
}

/** The comparison's result: first the missed payments, then the figures, then each group with entries. */
function comparisonCards(
  visit: Visit,
  { statement, comparison, marked }: { statement: Statement; comparison: Comparison; marked: Matched | null },
): Html {
  const words = visit.texts.statement;
  const { matched, untold, refused, differing, unlisted, firstDay, lastDay } = comparison;
  const sum = rupees(untold.sum);
  const alarm = html`<p><strong>${untold.count === 1 ? words.missedOne({ sum }) : words.missed({ count: untold.count, sum })}</strong></p><p>${words.missedText}</p>`;
  return html`${untold.count > 0 ? note(alarm, 'bad') : note(words.allTold, 'good')}
${marked && marked.missing > 0 && note(html`<p>${words.newlyMissing({ count: marked.missing })}</p><p class="note-link">${plainLink('/dashboard/money', visit.texts.home.openMoney)}</p>`, 'bad')}
${card(
  facts([
    [
      visit.texts.labels.days,
      firstDay === lastDay
        ? sayDay(visit.texts.tag, firstDay)
        : `${sayDay(visit.texts.tag, firstDay)} – ${sayDay(visit.texts.tag, lastDay)}`,
    ],
    [words.matched, `${matched.count} · ${rupees(matched.sum)} · ${words.orders({ count: matched.orders })}`],
    [words.newlyConfirmed, marked?.confirmed ?? false],
    [words.others, statement.others.length > 0 && words.othersText({ count: statement.others.length })],
    [words.unclear, statement.unclear > 0 && words.unclearText({ count: statement.unclear })],
  ]),
)}
${group(
  visit,
  words.untold,
  null,
  untold,
  lineColumns(visit, line => line),
)}
${group(visit, words.refused, words.refusedText, refused, differenceColumns(visit))}
${group(visit, words.differing, words.differingText, differing, differenceColumns(visit))}
${group(visit, words.unlisted, words.unlistedText, unlisted, creditColumns(visit))}`;
}

function group<Row>(
  { texts }: Visit,
  title: string,
  text: string | null,
  { count, sum, shown }: Group<Row>,
  columns: readonly Column<Row>[],
): Html | null {
  if (count === 0) return null;
  return titledCard({ title: `${title}: ${count} · ${rupees(sum)}` })`
${text !== null && html`<p class="quiet">${text}</p>`}
${table(title, shown, columns, { brief: true })}
${count > shown.length && html`<p class="quiet">${texts.labels.andMore({ count: count - shown.length })}</p>`}`;
}

/** On a narrow screen the payer is on one line. */
const who = 'order one-line';

function lineColumns<Row>(visit: Visit, lineOf: (row: Row) => StatementLine): Column<Row>[] {
  const { labels, statement } = visit.texts;
  return [
    { title: labels.day, place: 'time', cell: row => sayDay(visit.texts.tag, lineOf(row).day) },
    { title: labels.amount, place: 'sum', cell: row => rupees(lineOf(row).amount), number: true },
    { title: labels.reference, place: 'payer', cell: row => lineOf(row).reference ?? '–' },
    { title: statement.description, place: who, cell: row => html`<bdi>${lineOf(row).text}</bdi>` },
  ];
}

function differenceColumns(visit: Visit): Column<Difference>[] {
  const words = visit.texts.statement;
  return [
    ...lineColumns<Difference>(visit, ({ line }) => line),
    {
      title: words.toldAmount,
      place: 'status told',
      number: true,
      cell: row => rupees(row.credit.amount_paise),
    },
    { title: words.mail, place: 'customer', cell: ({ credit }) => mailLink(visit, credit) },
  ];
}

function creditColumns(visit: Visit): Column<ReportedCredit>[] {
  const { labels, statement } = visit.texts;
  return [
    { title: labels.day, place: 'time', cell: credit => moment(credit.alert_time) },
    { title: labels.amount, place: 'sum', cell: credit => rupees(credit.amount_paise), number: true },
    { title: labels.reference, place: 'spare', cell: credit => credit.reference ?? '–' },
    { title: statement.description, place: who, cell: credit => html`<bdi>${credit.payer ?? '–'}</bdi>` },
    { title: statement.mail, place: 'customer', cell: credit => mailLink(visit, credit) },
  ];
}

/** Links to the order that the mail paid, or to the payment that paid none. */
function mailLink({ texts }: Visit, { verdict, order_id: orderId, alert_id: alertId }: ReportedCredit): Html {
  if (verdict === 'paid' && orderId !== null)
    return html`<a href="/dashboard/orders/${encodeURIComponent(orderId)}">${orderId}</a>`;
  if (verdict === 'wrong_account' || verdict === 'wrong_recipient')
    return html`<a href="/dashboard/money/refused">${texts.verdicts[verdict][0]}</a>`;
  return html`<a href="/dashboard/money/${encodeURIComponent(alertId)}">${texts.verdicts[verdict][0]}</a>`;
}
