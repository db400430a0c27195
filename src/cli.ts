import { parseArgs } from 'node:util';
import { isDatabaseAway } from './base/database/database-away.ts';
import { httpAddress } from './base/listen-problem.ts';
import { type Config, readConfig, readSettings } from './base/settings/config.ts';
import { StartError } from './base/start-error.ts';
import { version } from './base/version.ts';
import type { Command } from './operator/command.ts';
import {
  commands as operatorCommands,
  removedCommands,
  renamedCommands,
} from './operator/commands/commands.ts';
import { describeInstallation, keepCompiled } from './operator/running/describe-installation.ts';
import { namePlatform } from './texts/name-platform.ts';

keepCompiled();
const settings = readSettings(process.argv.slice(2));
/** How this program is called here: through npm in its own folder, by npx, or by the name that a package gave it. */
const byNpm = settings.env['npm_lifecycle_event'];
const called = byNpm === undefined ? 'milaan' : byNpm === 'npx' ? 'npx milaan' : 'npm run -s milaan --';
/** One of them is a door. */
const commands: typeof operatorCommands = { sandbox: async () => sandboxCommand, ...operatorCommands };
const sandboxCommand: Command = {
  needs: 'nothing',
  summary: 'the whole service with a simulated bank and a demo shop, in .milaan below this folder',
  options: {},
  async run() {
    process.argv.splice(process.argv.indexOf('sandbox'), 1, '--sandbox');
    await import('./start.ts');
    return Number(process.exitCode ?? 0);
  },
};
process.exitCode = await main(settings.args);

async function main([first = '--help', ...others]: string[]): Promise<number> {
  const pair = `${first} ${others[0]}`;
  const [given, rest] = Object.hasOwn(renamedCommands, pair) ? [pair, others.slice(1)] : [first, others];
  const name = (Object.hasOwn(renamedCommands, given) && renamedCommands[given]) || given;
  if (name !== given)
    console.error(`milaan: ${given} is now ${name}; the old name is removed in the next release`);
  if (name === '--version' || name === 'version') {
    console.log(`milaan ${version}`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]!() : undefined;
  if (name === '--help' || name === 'help' || (command && rest.includes('--help'))) {
    console.log(command ? usage(name, command) : await help());
    return 0;
  }
  try {
    if (!command) throw new StartError(unknownCommand(name, others[0]));
    return await run(name, command, rest);
  } catch (error) {
    const isAway = isDatabaseAway(error);
    if (!isAway && !(error instanceof StartError)) throw error;
    const { message } = error as Error;
    console.error(
      `milaan: ${isAway ? `the database is away, or a standby that only reads: ${message}. What was under way may have been done: look before you run it again` : message}`,
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
    // The one that the named business lives in; what is the installation's is in the first.
    const own = cells.of(Number(options['business'] ?? 0) || 0);
    await cells.awaited(own.cell!);
    return await command.run(own, options);
  } finally {
    await close();
  }
}

/** Where the sandbox was last started: PORT=0, or another port than this command was told, is known there alone. */
async function sandboxUrl({ dataDir, host, port }: Config): Promise<string> {
  const { readSandboxFile } = await import('./sandbox/sandbox-file.ts');
  return readSandboxFile(dataDir).base_url ?? httpAddress(host, port);
}

/** Said before anything is done: whoever meant another installation can still stop. */
function installation(): Config {
  const read = readConfig([], settings.env, settings);
  if ('problems' in read) throw new StartError(read.problems.join('; '));
  console.error(describeInstallation(read.config));
  for (const warning of read.config.warnings) console.error(`  warning: ${warning}`);
  return read.config;
}

function readOptions(
  name: string,
  { options, positionals: wanted = {} }: Command,
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
    throw new StartError(`${(error as Error).message}; ${called} ${name} --help tells its options`);
  }
}

async function help(): Promise<string> {
  const lines: string[] = [];
  for (const [name, load] of Object.entries(commands))
    lines.push(`  ${name.padEnd(18)} ${(await load()).summary}`);
  return [
    `Usage: ${called} COMMAND [options]`,
    '',
    ...lines,
    '',
    'COMMAND --help tells its options. Every command takes --env-file FILE (settings from there), --live and --sandbox.',
    `--version tells the version (${version}).`,
  ].join('\n');
}

function usage(name: string, command: Command): string {
  const { needs, summary, options, settings, positionals = {} } = command;
  const hasConfig = ['database', 'any schema', 'settings'].includes(needs);
  const common = hasConfig ? 'DATABASE_URL (or CELLS_FILE), PUBLIC_URL, SECRET_KEY (docs/configure.md)' : '';
  const read = [settings, common].filter(Boolean).join(', ');
  const lines = Object.entries(options).map(
    ([option, { meaning, required }]) =>
      `  ${`--${option}`.padEnd(16)} ${meaning}${required ? '' : ' (may be left out)'}`,
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
