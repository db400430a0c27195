import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { currency, slots } from '../../src/alerts/banks/slots.ts';

export type Expression = { readonly source: string; readonly flags: string; readonly file: string };

/** Not built by what `collectExpressions` calls. Each is checked elsewhere, or reads no text from outside. */
const neverBuilt: Record<string, string> = {
  'src/alerts/forwarding/probe.ts': 'cuts a text of ours into lines',
  'src/alerts/reading/compare-readings.ts': 'the digits of one reference, without a repetition',
  'src/base/http/app.ts': 'paths of ours; a repetition ends at the next slash',
  'src/base/http/serve-files.ts': 'names of files of ours',
  'src/business/accounts/second-factor.ts': 'cuts a code of ours into groups',
};

/**
 * Every regular expression of src, once: those that are written down, and those that are built from parts, with all
 * wordings of all shipped banks.
 */
export async function collectExpressions(): Promise<Expression[]> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join('src', name).replaceAll('\\', '/'));
  const read = files.map(file => ({ file, ...readExpressions(file) }));
  const builders = read.filter(({ builds }) => builds > 0).map(({ file }) => file);
  const load = async (file: string) => await import(join(process.cwd(), file));
  const built = await watchBuilding(async () => {
    for (const file of builders) await load(file);
    (await load('src/alerts/banks/load-banks.ts')).loadBanks(null);
    const mail = Buffer.from('Subject: x\r\nDKIM-Signature: v=1; d=x.in; s=x\r\n\r\n');
    (await load('src/alerts/mail/split-headers.ts')).headerOf(mail, 'subject');
    (await load('src/alerts/origin/parse-signature.ts')).guessKeyNames(mail);
  });
  // read-wording.ts and find-selections.ts build the same expressions for one mail's values.
  const wholeSlots = Object.values(slots).map(({ pattern }) => `^(?:${pattern})$`);
  for (const source of [`^${currency}`, ...wholeSlots])
    for (const file of ['src/alerts/reading/read-wording.ts', 'src/alerts/workshop/find-selections.ts'])
      built.push({ source, flags: 'u', file });
  const unseen = builders.filter(file => !built.some(one => one.file === file));
  assert.deepEqual(unseen.sort(), Object.keys(neverBuilt).sort(), 'build one of each here, or say why not');
  const all = [...read.flatMap(({ written }) => written), ...built];
  return [...new Map(all.map(one => [nameOf(one), one])).values()];
}

export function nameOf({ source, flags }: Expression): string {
  return `/${source}/${flags}`;
}

/** Every regular expression that a file writes down, and how many it builds from parts. */
function readExpressions(file: string): { written: Expression[]; builds: number } {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
  const written: Expression[] = [];
  let builds = 0;
  const build = (node: { callee: { type: string; name?: string } }) => {
    if (node.callee.name === 'RegExp') builds++;
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex)
        written.push({ source: node.regex.pattern, flags: node.regex.flags, file });
    },
    NewExpression: build as never,
    CallExpression: build as never,
  }).visit(program);
  return { written, builds };
}

/** Those that the work builds, each with the file of src that built it. */
async function watchBuilding(work: () => Promise<void>): Promise<Expression[]> {
  const built: Expression[] = [];
  const plain = globalThis.RegExp;
  const root = `${pathToFileURL(process.cwd()).href}/`;
  const watched = (made: RegExp) => {
    const line = new Error().stack?.split('\n').find(one => one.includes(`${root}src/`));
    const file = line?.split(root)[1]?.split(':')[0];
    if (file !== undefined) built.push({ source: made.source, flags: made.flags, file });
    return made;
  };
  globalThis.RegExp = new Proxy(plain, {
    construct: (target, given, asked) => watched(Reflect.construct(target, given, asked) as RegExp),
    apply: (target, self, given) => watched(Reflect.apply(target, self, given) as RegExp),
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = plain;
  }
  return built;
}

const inBrowser = 'runs in the browser, on what its own user typed or marked';
const ofOurs = 'reads texts that are shipped';
const inThread = 'runs in a thread with a limit (read-in-thread.ts), on a cell of at most 2,000 characters';

/** Slower than linear, and why nobody can use it. */
export const exceptions: Readonly<Record<string, string>> = {
  '/[0-9Xx*N-]*[0-9]{2,}/': inBrowser,
  '/[\\w.-]+@[\\w.-]*\\w/': inBrowser,
  '/^[("“‘]*|[)"”’.,;:!]*$/g': inBrowser,
  '/\\/+$/': inBrowser,
  '/^(\\d+\\.?\\d*|\\.\\d+)$/': inBrowser,
  '/\\[([^\\]]*)\\]\\(([^)\\s]+)\\)/g': ofOurs,
  '/ \\([^)]*\\bdecision \\d+\\)/': ofOurs,
  '/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g': 'reads a file of the operator',
  '/^\\(\\D*[\\d,]+(?:\\.\\d+)?\\s*\\)$/': inThread,
  '/^(.*?)\\s*(cr|dr)?\\.?\\)?$/i': inThread,
  '/"[^"]*"|\\[[^\\]]*\\]|\\\\./g':
    'runs in a thread with a limit (read-in-thread.ts), on the name of a format',
  '/\\0.*$/s': 'a field of 100 bytes of a header',
  '/[0-9]+$/': 'an account of at most 60 characters, as the slot of a template reads it',
  '/[.,]+$/': 'a sum of at most 22 characters',
  '/\\B(?=(?:\\d\\d)+$)/g': 'the digits of a number',
  '/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/': 'its text is at most as long as a mail address',
  '/=\\?([A-Za-z0-9-]+)(?:\\*[A-Za-z-]+)?\\?([BbQq])\\?([!-~]*?)\\?=/g':
    'a subject of at most 4,096 characters',
};
