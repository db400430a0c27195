import { bankNames } from '../../alerts/banks/bank-names.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import {
  type Comparison,
  compareStatement,
  type StatementAccount,
} from '../../payments/statements/compare-statement.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { type Marked, markOrders } from '../../payments/statements/mark-orders.ts';
import { saveColumns, selectColumns } from '../../payments/statements/queries/told-credits.ts';
import { readAside } from '../../payments/statements/read-aside.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { button, fileField, selectField } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { doerOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, post, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { comparisonCards } from './comparison-cards.ts';

const statementPath = '/dashboard/statement';

export const statementRoutes = [
  get(statementPath, 'orders.export', (world, visit) => statementPage(world, visit, null)),
  post(statementPath, { permission: 'orders.export', upload: mostStatementBytes }, takeStatement),
];

/** What there is to show beside the form: what is wrong, or a statement that was compared. */
type Shown =
  | { fault: string; guessed?: Guessed }
  | { statement: Statement; comparison: Comparison; marked: Marked | null };

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
  // Each costs a thread.
  if (!(await mayGuess(world, [{ kind: 'trying', whom: `statement ${merchantId}` }])))
    return await refuse(words.tooOften);
  const given = readColumns(visit);
  const read = await readAside(bytes, given ?? (await selectColumns(world.sql, merchantId, bank)));
  if ('fault' in read) {
    const { fault, titles } = read;
    return await refuse(words.faults[fault], titles.length > 0 ? { titles, columns: given } : undefined);
  }
  if (given !== null && columnNames.every(name => given[name] === read.columns[name]))
    await saveColumns(world.sql, merchantId, bank, given);
  const comparison = await compareStatement(world.sql, merchantId, account, read);
  if (comparison === null) return await refuse(words.tooManyMails);
  // Whoever may not decide about money compares, and says nothing to others by it.
  const marked = visit.may('money.decide')
    ? await world.sql.begin(tx =>
        markOrders(tx, doerOf(visit), { bank, bankName: bankNames(world)(bank) }, comparison),
      )
    : null;
  if (marked === null)
    await makeChange(world, visit, async () => ({ action: 'statement.look', subject: bank }));
  return await statementPage(world, visit, { statement: read, comparison, marked });
}

/** The columns that a person chose, or null where none were asked for. */
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

/** Bank accounts, each once however many UPI IDs it has. Where a bank has several, its statement is of one of them. */
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

/** A bank account to choose; its bank's id is enough where the bank has one alone. */
type AccountChoice = StatementAccount & { value: string };

/** The titles of the file's columns, and what each of them was taken for, if anything was. */
type Guessed = { titles: readonly string[]; columns: Columns | null };

/** Takes a file of one of the business's banks. */
function statementForm(world: World, visit: Visit, accounts: readonly AccountChoice[], fault?: string): Html {
  const words = visit.texts.statement;
  if (accounts.length === 0)
    return html`<p>${words.noBank} <a href="/dashboard/upi-accounts">${visit.texts.shell.navigation.upiAccounts}</a></p>`;
  return uploadForm(html`${bankField(world, visit, accounts)}${statementField(visit, fault)}`, words.compare);
}

/** The same, with the columns of a file that was read, to be put right. */
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
