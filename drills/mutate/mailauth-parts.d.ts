/** Parts of the library that it does not describe. */
declare module 'mailauth/lib/dkim/syntax.js' {
  export const SELECTOR: RegExp;
}
declare module 'mailauth/lib/dkim/body/index.js' {
  export function dkimBody(
    canon: string,
    algorithm: string,
  ): { update(chunk: Buffer): void; digest(encoding: string): string };
}
declare module 'mailauth/lib/tools.js' {
  export function parseHeaders(head: Buffer): object;
}
declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  import type { dkimVerify } from 'mailauth/lib/dkim/verify.js';
  export class DkimVerifier {
    readonly results: Awaited<ReturnType<typeof dkimVerify>>['results'];
    constructor(options: Parameters<typeof dkimVerify>[1]);
    messageHeaders(headers: object): Promise<void>;
    nextChunk(chunk: Buffer): Promise<void>;
    finalChunk(): Promise<void>;
  }
}
