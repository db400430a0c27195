import { spawnSync } from 'node:child_process';
import { closeSync, globSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { missingParts, type Part, programs } from './needs.ts';

/** Installs what the tests need, or only these test files. Tests that need more are skipped and named at the end. */
export function installForTests(files: readonly string[]): void {
  const text = files
    .filter(file => statSync(file, { throwIfNoEntry: false })?.isFile())
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll('everyClient(', "needs('PHP', 'Python')");
  const wanted = (Object.keys(programs) as (keyof typeof programs)[]).filter(
    name => text === '' || text.includes(`'${name}'`),
  );
  getMissing('the tests need', wanted.flatMap(missingParts), 'Without them their tests are skipped.');
}

/** For a drill or a benchmark, which is nothing without them. */
export function install(whoNeeds: string, wanted: readonly Part[]): void {
  const lacking = () => wanted.filter(([file]) => globSync(file).length === 0);
  if (getMissing(whoNeeds, lacking(), '')) return;
  const packages = namesOf(lacking());
  console.error(
    `${whoNeeds} ${packages.join(' and ')}: install them first (apt-get install ${packages.join(' ')}), as root`,
  );
  process.exit(1);
}

/** False when something is missing still: nobody may install it here, or somebody said no. */
function getMissing(whoNeeds: string, missing: readonly Part[], otherwise: string): boolean {
  if (missing.length === 0) return true;
  const packages = namesOf(missing);
  console.log(
    `${whoNeeds}: ${packages.join(', ')}. apt-get installs them for the whole machine; their services are not started.`,
  );
  const terminal = process.stdin.isTTY && process.stdout.isTTY && process.env['CI'] !== 'true';
  if (terminal && !agrees(`Install them? ${otherwise}${otherwise && ' '}[Y/n] `)) return false;
  const script = join(import.meta.dirname, 'install-quietly.sh');
  const [command = '', ...args] = [...asRoot(terminal), 'sh', script, ...packages];
  const { status } = spawnSync(command, args, { stdio: ['inherit', 'ignore', 'inherit'] });
  if (status === 0) return true;
  console.error(
    status === null || process.getuid?.() !== 0
      ? `not installed: that takes root, or sudo without a password (apt-get install ${packages.join(' ')})`
      : 'they could not be installed',
  );
  return false;
}

/** On a terminal a person can type the password. */
function asRoot(terminal: boolean): string[] {
  return process.getuid?.() === 0 ? [] : ['sudo', ...(terminal ? [] : ['-n'])];
}

/** Enter means yes; the end of input does not. */
function agrees(question: string): boolean {
  process.stdout.write(question);
  const terminal = openSync('/dev/tty', 'r');
  const answer = Buffer.alloc(64);
  const length = readSync(terminal, answer);
  closeSync(terminal);
  return length > 0 && !/^\s*n/i.test(answer.toString('utf8', 0, length));
}

function namesOf(parts: readonly Part[]): string[] {
  return parts.map(([, packageName]) => packageName);
}
