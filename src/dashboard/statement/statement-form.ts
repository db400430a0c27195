import { bankNames } from '../../alerts/banks/bank-names.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { type Columns, columnNames } from '../../payments/statements/find-columns.ts';
import { mostStatementBytes } from '../../payments/statements/table-limits.ts';
import { button, fileField, selectField } from '../frame/controls.ts';
import type { Visit } from '../frame/route.ts';

export const statementPath = '/dashboard/statement';

/** The titles of the file's columns, and what each of them was taken for, if anything was. */
export type Guessed = { titles: readonly string[]; columns: Columns | null };

/** Takes a file of one of the business's banks. */
export function statementForm(world: World, visit: Visit, banks: readonly string[], fault?: string): Html {
  const words = visit.texts.statement;
  if (banks.length === 0)
    return html`<p>${words.noBank} <a href="/dashboard/upi-accounts">${words.noBankLink}</a></p>`;
  return uploadForm(html`${bankField(world, visit, banks)}${statementField(visit, fault)}`, words.compare);
}

/** The same, with the columns of a file that was read, to be put right. */
export function columnsForm(
  world: World,
  visit: Visit,
  banks: readonly string[],
  { titles, columns }: Guessed,
  fault?: string,
): Html {
  const words = visit.texts.statement;
  const select = (name: (typeof columnNames)[number]) =>
    selectField({
      name,
      label: words.columnNames[name],
      value: columns?.[name] ?? '',
      choices: [{ value: '', text: words.noColumn }, ...titles.map(title => ({ value: title, text: title }))],
      ...(name === 'direction' && { hint: words.directionHint }),
    });
  return html`<p class="quiet">${words.columnsText}</p>
${uploadForm(
  html`${bankField(world, visit, banks)}<div class="grid">${columnNames.map(select)}</div>${statementField(visit, fault)}`,
  words.readAgain,
)}`;
}

function uploadForm(fields: Html, submit: string): Html {
  return html`<form method="post" action="${statementPath}" enctype="multipart/form-data" class="stack">
${fields}
<div class="actions">${button(submit)}</div>
</form>`;
}

function bankField(world: World, { texts, form }: Visit, banks: readonly string[]): Html {
  const name = bankNames(world);
  return selectField({
    name: 'bank',
    label: texts.statement.bank,
    value: form.text('bank') || (banks[0] ?? ''),
    choices: banks.map(bank => ({ value: bank, text: name(bank) })),
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
