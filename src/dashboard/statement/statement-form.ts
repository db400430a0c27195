import { bankNames } from '../../alerts/banks/bank-names.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { StatementAccount } from '../../payments/statements/compare-statement.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { button, fileField, selectField } from '../frame/controls.ts';
import type { Visit } from '../frame/route.ts';

export const statementPath = '/dashboard/statement';

/** A bank account to choose; its bank's id is enough where the bank has one alone. */
export type AccountChoice = StatementAccount & { value: string };

/** The titles of the file's columns, and what each of them was taken for, if anything was. */
export type Guessed = { titles: readonly string[]; columns: Columns | null };

/** Takes a file of one of the business's banks. */
export function statementForm(
  world: World,
  visit: Visit,
  accounts: readonly AccountChoice[],
  fault?: string,
): Html {
  const words = visit.texts.statement;
  if (accounts.length === 0)
    return html`<p>${words.noBank} <a href="/dashboard/upi-accounts">${words.noBankLink}</a></p>`;
  return uploadForm(html`${bankField(world, visit, accounts)}${statementField(visit, fault)}`, words.compare);
}

/** The same, with the columns of a file that was read, to be put right. */
export function columnsForm(
  world: World,
  visit: Visit,
  accounts: readonly AccountChoice[],
  { titles, columns }: Guessed,
  fault?: string,
): Html {
  const words = visit.texts.statement;
  const select = (name: (typeof columnNames)[number]) =>
    selectField({
      name,
      label: words.columnNames[name],
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
  return selectField({
    name: 'bank',
    label: texts.labels.bank,
    value: form.text('bank') || (accounts[0]?.value ?? ''),
    choices: accounts.map(({ bank, digits, value }) => ({
      value,
      text: value === bank ? name(bank) : `${name(bank)} …${digits ?? ''}`,
    })),
  });
}

function statementField({ texts }: Visit, error?: string): Html {
  const words = texts.statement;
  return fileField({
    name: 'statement',
    label: words.file,
    hint: words.fileHint,
    accept: '.csv,.txt,.xlsx,.xls',
    mostBytes: mostStatementBytes,
    tooLarge: words.tooLarge,
    error,
  });
}
