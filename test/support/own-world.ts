import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before every test file, and by the runner: what a test may assume of the environment, whatever the machine.
 * Fonts, ports, users and databases each test brings for itself. `npm run drill -- strange-machine` tries all of it.
 */
const ours = [...readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(
  ([, name]) => name!,
);
/** Variables that would change a program started by a test: for the database, a proxy, Node and the language. */
const foreign =
  /^(?:PG[A-Z]+|(?:https?|all|no|ftp)_proxy|NODE_(?:OPTIONS|ENV|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|LC_\w+|LANGUAGE|FONTCONFIG_\w+)$/i;

for (const name of Object.keys(process.env))
  if (foreign.test(name) || ours.includes(name)) delete process.env[name];
process.env['TZ'] = 'UTC';
process.env['LANG'] = 'C.UTF-8';
process.env['LC_ALL'] = 'C.UTF-8';
// A thread that the product starts loads this too, and has the umask of its process.
if (isMainThread) process.umask(0o022);
