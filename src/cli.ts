import { parseArgs } from 'node:util';
import { readConfig, readEnvFile } from './config.ts';
import { openWorld } from './open-world.ts';
import type { Command } from './operator/command.ts';
import { commands } from './operator/commands.ts';
import { StartError } from './start-error.ts';

readEnvFile();
process.exitCode = await main(process.argv.slice(2));

async function main([name = '--help', ...rest]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === '--help' || name === 'help' || (command && rest.includes('--help'))) {
    console.log(command ? usage(name, command) : help());
    return 0;
  }
  try {
    if (!command) throw new StartError(`there is no command "${name}"; npm run milaan -- --help lists them`);
    return await run(name, command, rest);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(`milaan: ${error.message}`);
    return 1;
  }
}

async function run(name: string, command: Command, args: string[]): Promise<number> {
  if (command.needs === 'nothing') return await command.run(args);
  const read = readConfig([]);
  if ('problems' in read) throw new StartError(read.problems.join('; '));
  const options = readOptions(name, command, args);
  const { world, close } = await openWorld(read.config, {
    baseUrl: read.config.publicUrl ?? `http://127.0.0.1:${read.config.port}`,
    say: line => console.error(`  ${line}`),
    joinRunning: true,
  });
  try {
    return await command.run(world, options);
  } finally {
    await close();
  }
}

function readOptions(name: string, { options, file }: Command, args: string[]): Record<string, string> {
  try {
    const described = Object.entries(options).map(([option, { flag }]) => [
      option,
      { type: flag ? ('boolean' as const) : ('string' as const) },
    ]);
    const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } = parseArgs({
      args,
      options: Object.fromEntries(described),
      strict: true,
      allowPositionals: file !== undefined,
    });
    if (file !== undefined && positionals.length !== 1)
      throw new StartError(`${name} needs one file: ${file}`);
    const missing = Object.entries(options).filter(([option, { required }]) => required && !values[option]);
    if (missing.length > 0)
      throw new StartError(`${name} needs ${missing.map(([option]) => `--${option}`).join(', ')}`);
    return { ...values, ...(file !== undefined && { file: positionals[0] }) } as Record<string, string>;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `${(error as Error).message}; npm run -s milaan -- ${name} --help tells its options`,
    );
  }
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(18)} ${summary}`);
  return [
    'Usage: npm run -s milaan -- COMMAND [options]',
    '',
    ...lines,
    '',
    'COMMAND --help tells its options.',
  ].join('\n');
}

function usage(name: string, { summary, options, file }: Command): string {
  const lines = Object.entries(options).map(
    ([option, { meaning, required }]) =>
      `  ${`--${option}`.padEnd(16)} ${meaning}${required ? '' : ' (may be left out)'}`,
  );
  return [
    `Usage: npm run -s milaan -- ${name} ${file === undefined ? '' : 'FILE '}[options]`,
    '',
    summary,
    ...(lines.length ? ['', ...lines] : []),
  ].join('\n');
}
