import type { statement } from '../../texts/en/home.ts';

/** The largest file we accept. Fifty thousand lines are a busy shop's quarter. */
export const mostStatementBytes = 12 * 1024 * 1024;
export const mostLines = 50_000;
/** The file's lines, with those above and below the table. */
export const mostRows = mostLines + 1_000;
export const mostColumns = 100;
export const longestCell = 2_000;
/** Counted while a packed file is unpacked: a few bytes may claim to be gigabytes. */
export const mostUnpackedBytes = 160 * 1024 * 1024;

/** Why a file cannot be read, as a code; `texts/` has the sentences. */
export type StatementFaultCode = keyof typeof statement.faults;

export class StatementFault extends Error {
  readonly code: StatementFaultCode;

  constructor(code: StatementFaultCode) {
    super(code);
    this.code = code;
  }
}
