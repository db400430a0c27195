import { bankNames } from '../../alerts/banks/bank-names.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { type Comparison, compareStatement } from '../../payments/statements/compare-statement.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { type Marked, markOrders } from '../../payments/statements/mark-orders.ts';
import { saveColumns, selectColumns } from '../../payments/statements/queries/told-credits.ts';
import { readAside } from '../../payments/statements/read-aside.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { card, screen } from '../frame/parts.ts';
import { doerOf, makeChange } from '../frame/record-change.ts';
import { type Answer, get, post, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { comparisonCards } from './comparison-cards.ts';
import {
  type AccountChoice,
  columnsForm,
  type Guessed,
  statementForm,
  statementPath,
} from './statement-form.ts';

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
