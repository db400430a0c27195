import { parseArgs } from 'node:util';
import { isDatabaseDown } from './base/database/database-down.ts';
import { httpAddress } from './base/listen-problem.ts';
import { type Config, readConfig, readSettings } from './base/settings/config.ts';
import { StartError } from './base/start-error.ts';
import { version } from './base/version.ts';
import type { Command } from './operator/command.ts';
import {
  deprecatedCommands,
  commands as operatorCommands,
  removedCommands,
  renamedCommands,
} from './operator/commands/commands.ts';
import { describeInstallation, keepCompiled } from './operator/running/describe-installation.ts';
import { namePlatform } from './texts/name-platform.ts';

keepCompiled();
const settings = readSettings(process.argv.slice(2));
/** The command that help shows: npm in its own folder, npx, or the name that a package installed. */
const byNpm = settings.env['npm_lifecycle_event'];
const called = byNpm === undefined ? 'milaan' : byNpm === 'npx' ? 'npx milaan' : 'npm run -s milaan --';
const commands: typeof operatorCommands = { sandbox: async () => sandboxCommand, ...operatorCommands };
const allCommands = { ...commands, ...deprecatedCommands };
const sandboxCommand: Command = {
  needs: 'nothing',
  summary:
    'run the whole service with a simulated bank and a demo shop; its data is in .milaan of this folder',
  async run() {
    process.argv.splice(process.argv.indexOf('sandbox'), 1, '--sandbox');
    await import('./start.ts');
    return Number(process.exitCode ?? 0);
  },
};
process.exitCode = await main(settings.args);

async function main([first = '--help', ...others]: string[]): Promise<number> {
  const pair = `${first} ${others[0]}`;
  const [given, typed] = Object.hasOwn(renamedCommands, pair) ? [pair, others.slice(1)] : [first, others];
  const current = (Object.hasOwn(renamedCommands, given) && renamedCommands[given]) || given;
  if (current !== given)
    console.error(`milaan: ${given} is now ${current}; the old name is removed in the next release`);
  const [name = given, ...added] = current === given ? [given] : current.split(' ');
  const rest = [...added, ...typed];
  if (name === '--version' || name === 'version') {
    console.log(`milaan ${version}`);
    return 0;
  }
  const command = Object.hasOwn(allCommands, name) ? await allCommands[name]!() : undefined;
  if (name === '--help' || name === 'help' || (command && rest.includes('--help'))) {
    console.log(command ? usage(name, command) : await help());
    return 0;
  }
  try {
    if (!command) throw new StartError(unknownCommand(name, others[0]));
    return await run(name, command, rest);
  } catch (error) {
    const isDown = isDatabaseDown(error);
    if (!isDown && !(error instanceof StartError)) throw error;
    const { message } = error as Error;
    console.error(
      `milaan: ${isDown ? `the database is unavailable, or a standby that only reads: ${message}. The command may have changed something: look before you run it again` : message}`,
    );
    return 1;
  }
}

function unknownCommand(name: string, next = ''): string {
  const [gone] = [name, `${name} ${next}`].filter(one => Object.hasOwn(removedCommands, one));
  return gone
    ? `${gone} was removed in this release: ${removedCommands[gone]}`
    : `there is no command "${name}"; ${called} --help lists them`;
}

async function run(name: string, command: Command, args: string[]): Promise<number> {
  if (command.needs === 'nothing') return await command.run(args, installation);
  const options = readOptions(name, command, args);
  if (command.needs === 'options') return await command.run(options);
  if (command.needs === 'environment') return await command.run(options, settings.env);
  const config = installation();
  if (config.platformName !== null) namePlatform(config.platformName);
  if (command.needs === 'settings') return await command.run(config, options);
  const { openWorld } = await import('./operator/open-world.ts');
  const { world, close } = await openWorld(config, {
    baseUrl: config.publicUrl ?? (await sandboxUrl(config)),
    say: line => console.error(`  ${line}`),
    as: command.needs === 'database' ? 'command' : 'upgrade',
  });
  try {
    const { cells } = world;
    if (!cells || command.everyCell) return await command.run(world, options);
    // A command about one business works in its cell; data of the whole installation is in cell 0.
    const own = cells.of(Number(options['business'] ?? 0) || 0);
    await cells.awaited(own.cell!);
    return await command.run(own, options);
  } finally {
    await close();
  }
}

/** Only the sandbox's own file knows its port, if that was PORT=0 or set in another environment. */
async function sandboxUrl({ dataDir, host, port }: Config): Promise<string> {
  const { readSandboxFile } = await import('./sandbox/sandbox-file.ts');
  return readSandboxFile(dataDir).base_url ?? httpAddress(host, port);
}

/** Prints the installation before anything changes, so that an operator who meant another one can stop. */
function installation(): Config {
  const read = readConfig([], settings.env, settings);
  if ('problems' in read) throw new StartError(read.problems.join('; '));
  console.error(describeInstallation(read.config));
  for (const warning of read.config.warnings) console.error(`  warning: ${warning}`);
  return read.config;
}

function readOptions(
  name: string,
  { options = {}, positionals: wanted = {} }: Command,
  args: string[],
): Record<string, string> {
  const names = Object.keys(wanted);
  try {
    const described = Object.entries(options).map(([option, { flag }]) => [
      option,
      { type: flag ? ('boolean' as const) : ('string' as const) },
    ]);
    const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } = parseArgs({
      args,
      options: Object.fromEntries(described),
      strict: true,
      allowPositionals: names.length > 0,
    });
    if (positionals.length !== names.length)
      throw new StartError(
        `${name} needs one ${names.map(one => `${one}: ${wanted[one]}`).join('; and one ')}`,
      );
    const missing = Object.entries(options).filter(([option, { required }]) => required && !values[option]);
    if (missing.length > 0)
      throw new StartError(`${name} needs ${missing.map(([option]) => `--${option}`).join(', ')}`);
    return {
      ...values,
      ...Object.fromEntries(names.map((one, place) => [one, positionals[place]])),
    } as Record<string, string>;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${(error as Error).message}; ${called} ${name} --help lists its options`);
  }
}

async function help(): Promise<string> {
  return [
    `Usage: ${called} COMMAND [options]`,
    '',
    ...(await list(commands)),
    '',
    'Deprecated, removed in the next release:',
    ...(await list(deprecatedCommands)),
    '',
    'COMMAND --help lists its options. Every command takes --env-file FILE (settings from there), --live and --sandbox.',
    `--version prints the version (${version}).`,
  ].join('\n');
}

async function list(loads: typeof commands): Promise<string[]> {
  const lines = Object.entries(loads).map(
    async ([name, load]) => `  ${name.padEnd(18)} ${(await load()).summary}`,
  );
  return await Promise.all(lines);
}

function usage(name: string, command: Command): string {
  const { needs, summary, options = {}, settings, positionals = {} } = command;
  const hasConfig = ['database', 'any schema', 'settings'].includes(needs);
  const common = hasConfig ? 'DATABASE_URL (or CELLS_FILE), PUBLIC_URL, SECRET_KEY (docs/configure.md)' : '';
  const read = [settings, common].filter(Boolean).join(', ');
  const lines = Object.entries(options).map(
    ([option, { meaning, required }]) =>
      `  ${`--${option}`.padEnd(16)} ${meaning}${required ? '' : ' (optional)'}`,
  );
  return [
    `Usage: ${called} ${name} ${Object.keys(positionals)
      .map(one => `${one.toUpperCase()} `)
      .join('')}[options]`,
    '',
    summary,
    ...Object.entries(positionals).map(([one, meaning]) => `${one.toUpperCase()}: ${meaning}`),
    ...(lines.length ? ['', ...lines] : []),
    ...(read ? ['', `Settings: ${read}`] : []),
  ].join('\n');
}
