import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Half of a start is reading and compiling some thousand files. What Node made of them is kept beside the packages,
 * where only those who may change the code may write, and the next start takes it from there. Where the folder cannot
 * be written, Node goes on without.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/milaan', import.meta.url)));
}
