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
import type { Texts } from '../../texts/languages.ts';
import { fold } from '../frame/choosing.ts';
import { fileField, selectField } from '../frame/controls.ts';
import { screen } from '../frame/parts.ts';
import { actorOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, lead, post, type Visit } from '../frame/route.ts';
import { stillAllowed } from '../frame/still-allowed.ts';
import { reportTabs } from '../reports/routes.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { comparisonCards } from './comparison-cards.ts';

const path = '/dashboard/reports/check';
/** Pages of the previous release send their files here too. */
const uploadPath = '/dashboard/statement';

export const statementRoutes = [
  get(path, 'orders.export', (world, visit) => statementPage(world, visit, {})),
  lead('/dashboard/statement', path, 'orders.export'),
  post(uploadPath, { permission: 'orders.export', upload: mostStatementBytes }, takeStatement),
];

type Shown = {
  fault?: string;
  done?: { statement: Statement; comparison: Comparison; stored: Matched | null };
  /** The file's column titles, and the guess for each of them. */
  guessed?: { titles: readonly string[]; columns: Columns | null };
};

async function takeStatement(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts } = visit;
  const words = texts.statement;
  const refuse = (fault: string, more: Shown = {}) => statementPage(world, visit, { fault, ...more });
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
    return await refuse(
      words.faults[fault],
      titles.length > 0 ? { guessed: { titles, columns: given } } : {},
    );
  }
  if (given !== null && columnNames.every(name => given[name] === read.columns[name]))
    await saveColumns(world.sql, merchantId, bank, given);
  const comparison = await compareStatement(world.sql, merchantId, account, read);
  if (comparison === null) return await refuse(words.tooManyMails);
  // A person who may not decide about money can compare, but changes nothing for others.
  const stored = visit.may('money.decide')
    ? await world.sql.begin(async tx => {
        await stillAllowed(tx, visit, 'money.decide');
        return await matchOrders(tx, actorOf(visit), { bank, bankName: bankNames(world)(bank) }, comparison);
      })
    : null;
  if (stored === null)
    await makeChange(world, visit, async () => ({ action: 'statement.look', subject: bank }));
  const done = { statement: read, comparison, stored };
  return await statementPage(world, visit, { done, guessed: read });
}

/** The columns that a person chose, or null if the form did not ask. */
function readColumns({ form }: Visit): Columns | null {
  const chosen = Object.fromEntries(columnNames.map(name => [name, form.text(name) || null]));
  const { date, amount, ...others } = chosen as Record<(typeof columnNames)[number], string | null>;
  return date && amount ? { ...others, date, amount } : null;
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

async function statementPage(world: World, visit: Visit, shown: Shown): Promise<Answer> {
  const { texts } = visit;
  const words = texts.statement;
  const { fault, done } = shown;
  const form = statementForm(world, visit, await accountsOf(world, visit), shown);
  const section = html`<section class="stack"><div><h2>${done ? words.another : words.title}</h2><p class="small quiet">${words.text}</p></div>${form}</section>`;
  return screen(texts.shell.navigation.reports, {
    quietOnPhone: true,
    status: fault === undefined ? 200 : 400,
  })`${reportTabs(visit, 'check')}
${done ? html`<div class="columns"><div class="stack">${comparisonCards(visit, done)}</div><aside class="stack no-print">${section}</aside></div>` : html`<div class="one-thing">${section}</div>`}`;
}

/** A bank account to choose. The bank's id is enough if the bank has only one account. */
type AccountChoice = StatementAccount & { value: string };

/** With a read file's columns, to be corrected. Once they were right they are folded. */
function statementForm(
  world: World,
  { texts, form }: Visit,
  accounts: readonly AccountChoice[],
  { fault, guessed }: Shown,
): Html {
  const words = texts.statement;
  if (accounts.length === 0)
    return html`<p>${words.noBank} <a href="/dashboard/shop/bank">${texts.shop.pages.bank}</a></p>`;
  const bankName = bankNames(world);
  const bank = selectField('bank', texts.labels.bank, {
    value: form.text('bank') || (accounts[0]?.value ?? ''),
    choices: accounts.map(({ bank, digits, value }) => ({
      value,
      text: value === bank ? bankName(bank) : `${bankName(bank)} …${digits ?? ''}`,
    })),
  });
  const columns =
    guessed && html`<p class="small quiet">${words.columnsText}</p>${columnFields(texts, guessed)}`;
  const isWrong = columns && fault !== undefined;
  const file = fileField('statement', words.file, {
    hint: words.fileHint,
    accept: '.csv,.txt,.xlsx,.xls',
    mostBytes: mostStatementBytes,
    tooLarge: words.tooLarge,
    error: fault,
  });
  return html`<form method="post" action="${uploadPath}" enctype="multipart/form-data" class="stack">
${bank}${isWrong ? columns : columns && fold(words.columns, html`<div class="stack">${columns}</div>`)}${file}
<button class="button wide">${isWrong ? words.readAgain : words.compare}</button>
</form>`;
}

function columnFields({ statement, labels }: Texts, { titles, columns }: NonNullable<Shown['guessed']>) {
  return columnNames.map(name =>
    selectField(name, statement.columnNames[name], {
      value: columns?.[name] ?? '',
      choices: [{ value: '', text: labels.none }, ...titles.map(title => ({ value: title, text: title }))],
      ...(name === 'direction' && { hint: statement.directionHint }),
    }),
  );
}
