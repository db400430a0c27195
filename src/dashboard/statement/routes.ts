import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { mayGuess } from '../../business/accounts/guesses.ts';
import { type Comparison, compareStatement } from '../../payments/statements/compare-statement.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { saveColumns, selectColumns } from '../../payments/statements/queries.ts';
import { readAside } from '../../payments/statements/read-aside.ts';
import type { Statement } from '../../payments/statements/read-statement.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { card, pageHead } from '../frame/parts.ts';
import { type Answer, get, page, post, type Visit } from '../frame/route.ts';
import { selectAccounts } from '../upi-accounts/queries.ts';
import { comparisonCards } from './comparison-cards.ts';
import { columnsForm, type Guessed, statementForm, statementPath } from './statement-form.ts';

export const statementRoutes = [
  get(statementPath, 'orders.export', (world, visit) => statementPage(world, visit, null)),
  post(statementPath, { permission: 'orders.export', upload: mostStatementBytes }, takeStatement),
];

/** What there is to show beside the form: what is wrong, or a statement that was compared. */
type Shown = { fault: string; guessed?: Guessed } | { statement: Statement; comparison: Comparison };

async function takeStatement(world: World, visit: Visit): Promise<Answer> {
  const { form, merchantId, texts } = visit;
  const words = texts.statement;
  const refuse = (fault: string, guessed?: Guessed) =>
    statementPage(world, visit, { fault, ...(guessed && { guessed }) });
  const bytes = form.file('statement');
  const bank = form.text('bank');
  if (bytes === null) return await refuse(words.fileMissing);
  if (!(await banksOf(world, visit)).includes(bank)) return await refuse(words.noBank);
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
  const comparison = await compareStatement(world.sql, merchantId, bank, read.lines);
  if (comparison === null) return await refuse(words.tooManyMails);
  return await statementPage(world, visit, { statement: read, comparison });
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

async function banksOf({ sql }: World, { merchantId }: Visit): Promise<string[]> {
  const accounts = await selectAccounts(sql, merchantId);
  return [...new Set(accounts.flatMap(({ bank }) => bank ?? []))];
}

async function statementPage(world: World, visit: Visit, shown: Shown | null): Promise<Answer> {
  const words = visit.texts.statement;
  const banks = await banksOf(world, visit);
  const fault = shown !== null && 'fault' in shown ? shown : null;
  const done = shown !== null && 'statement' in shown ? shown : null;
  const guessed = done?.statement ?? fault?.guessed;
  const body = html`${pageHead(words.title, { text: words.text })}
${done && comparisonCards(visit, done.statement, done.comparison)}
${guessed ? card(columnsForm(world, visit, banks, guessed, fault?.fault), { title: words.columns }) : card(statementForm(world, visit, banks, fault?.fault))}`;
  return page({ title: words.title, status: fault ? 400 : 200, body });
}
