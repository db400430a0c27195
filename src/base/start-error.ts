/** A reason not to start that the operator can fix: one sentence, no stack trace, exit code 1. */
export class StartError extends Error {}
