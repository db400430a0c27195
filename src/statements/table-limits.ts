/** What a bank's file may be at most. Fifty thousand lines are a busy shop's quarter. */
export const mostStatementBytes = 12 * 1024 * 1024;
export const mostLines = 50_000;
/** Lines of the file, with what stands above and below the table. */
export const mostRows = mostLines + 1_000;
export const mostColumns = 100;
export const longestCell = 2_000;
/** Of what a packed file unpacks to, counted while it does: a few bytes may claim to be gigabytes. */
export const mostUnpackedBytes = 160 * 1024 * 1024;

/** Why a file cannot be read, in a word; `texts.statements.faults` says it in sentences. */
export type StatementFaultCode =
  | 'empty'
  | 'old_excel'
  | 'pdf'
  | 'web_page'
  | 'not_text'
  | 'damaged'
  | 'unpacks_too_large'
  | 'too_many_lines'
  | 'too_wide'
  | 'cell_too_long'
  | 'no_columns'
  | 'no_credits'
  | 'gave_up'
  | 'busy';

export class StatementFault extends Error {
  readonly code: StatementFaultCode;

  constructor(code: StatementFaultCode) {
    super(code);
    this.code = code;
  }
}
