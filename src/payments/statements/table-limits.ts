import type { statement } from '../../texts/en/orders.ts';

/** The largest file we take. Fifty thousand lines are a busy shop's quarter. */
export const mostStatementBytes = 12 * 1024 * 1024;
export const mostLines = 50_000;
/** Lines of the file, with what stands above and below the table. */
export const mostRows = mostLines + 1_000;
export const mostColumns = 100;
export const longestCell = 2_000;
/** Counted while a packed file is unpacked: a few bytes may claim to be gigabytes. */
export const mostUnpackedBytes = 160 * 1024 * 1024;

/** Why a file cannot be read, in a word; `texts/` says it in sentences. */
export type StatementFaultCode = keyof typeof statement.faults;

export class StatementFault extends Error {
  readonly code: StatementFaultCode;

  constructor(code: StatementFaultCode) {
    super(code);
    this.code = code;
  }
}
