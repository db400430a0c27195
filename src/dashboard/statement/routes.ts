import { bankNames } from '../../alerts/banks/bank-support.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import {
  type Comparison,
  compareStatement,
  type StatementAccount,
} from '../../payments/statements/compare-statement.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { type Matched, matchOrders } from '../../payments/statements/match-orders.ts';
import { saveColumns, selectColumns } from '../../payments/statements/queries/reported-credits.ts';
import { readInThread } from '../../payments/statements/read-in-thread.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { fold } from '../frame/choosing.ts';
import { button, fileField, selectField } from '../frame/controls.ts';
import { screen } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, lead, post, type Visit } from '../frame/route.ts';
import { reportTabs } from '../reports/routes.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { comparisonCards } from './comparison-cards.ts';

const path = '/dashboard/reports/check';
/** Pages of the previous release send their files here too. */
const uploadPath = '/dashboard/statement';

export const statementRoutes = [
  get(path, 'orders.export', (world, visit) => statementPage(world, visit, null)),
  lead('/dashboard/statement', path, 'orders.export'),
  post(uploadPath, { permission: 'orders.export', upload: mostStatementBytes }, takeStatement),
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
  const form = guessed
    ? columnsForm(world, visit, accounts, { ...guessed, isOpen: fault !== null }, fault?.fault)
    : statementForm(world, visit, accounts, fault?.fault);
  const formCard = html`<section class="card filled"><div><h2>${done ? words.another : words.title}</h2><p class="small quiet">${words.text}</p></div>${form}</section>`;
  return screen(visit.texts.reports.title, {
    quietOnPhone: true,
    status: fault ? 400 : 200,
  })`${reportTabs(visit, 'check')}
${done ? html`<div class="columns"><div class="stack">${comparisonCards(visit, done)}</div><aside class="stack no-print">${formCard}</aside></div>` : html`<div class="one-thing">${formCard}</div>`}`;
}

/** A bank account to choose. The bank's id is enough if the bank has only one account. */
type AccountChoice = StatementAccount & { value: string };

/** The file's column titles, and the guess for each of them. */
type Guessed = { titles: readonly string[]; columns: Columns | null };

function statementForm(world: World, visit: Visit, accounts: readonly AccountChoice[], fault?: string): Html {
  const words = visit.texts.statement;
  if (accounts.length === 0)
    return html`<p>${words.noBank} <a href="/dashboard/shop/bank">${visit.texts.shop.pages.bank}</a></p>`;
  return uploadForm(html`${bankField(world, visit, accounts)}${statementField(visit, fault)}`, words.compare);
}

/** The same form with the read file's columns, to be corrected. Once they were right they are folded. */
function columnsForm(
  world: World,
  visit: Visit,
  accounts: readonly AccountChoice[],
  { titles, columns, isOpen }: Guessed & { isOpen: boolean },
  error?: string,
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
  const fields = html`<p class="small quiet">${words.columnsText}</p>${columnNames.map(select)}`;
  return uploadForm(
    html`${bankField(world, visit, accounts)}${isOpen ? fields : fold(words.columns, html`<div class="stack">${fields}</div>`)}${statementField(visit, error)}`,
    isOpen ? words.readAgain : words.compare,
  );
}

function uploadForm(fields: Html, submit: string): Html {
  return html`<form method="post" action="${uploadPath}" enctype="multipart/form-data" class="stack">
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
