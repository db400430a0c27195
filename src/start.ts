import { flushCompileCache } from 'node:module';
import { second } from './base/clock.ts';
import { isDatabaseDown } from './base/database/database-down.ts';
import { freePort } from './base/free-port.ts';
import { httpAddress, listenProblem } from './base/listen-problem.ts';
import { type Config, readConfig, readSettings } from './base/settings/config.ts';
import { StartError } from './base/start-error.ts';
import { version } from './base/version.ts';
import type { World } from './base/world.ts';
import { openWorld } from './operator/open-world.ts';
import { describeInstallation } from './operator/running/describe-installation.ts';
import { waitForStop } from './operator/running/wait-for-stop.ts';
import { namePlatform } from './texts/name-platform.ts';

const stopLimit = 10 * second;

const settings = readSettings(process.argv.slice(2));
const read = readConfig(settings.args, settings.env, settings);
const config = 'problems' in read ? read.partly : read.config;
const problems = [...('problems' in read ? read.problems : []), ...(await problemsInside(config))];
if (problems.length > 0) {
  for (const problem of problems) console.error(`milaan: ${problem}`);
  process.exitCode = 1;
} else {
  await run(config);
}

/** Finds all problems in the configured files at once. Modules are loaded only for files that are set. */
async function problemsInside({ plansFile, banksFile }: Config): Promise<string[]> {
  const found: string[] = [];
  const tryOut = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      found.push((error as Error).message);
    }
  };
  if (plansFile !== null) {
    const { readPlans } = await import('./business/merchants/plans.ts');
    tryOut(() => readPlans(plansFile));
  }
  if (banksFile !== null) {
    const { loadBanks } = await import('./alerts/banks/load-banks.ts');
    tryOut(() => loadBanks(banksFile));
  }
  return found;
}

async function run(config: Config): Promise<void> {
  const say = (line: string) => console.log(`  ${line}`);
  if (config.platformName !== null) namePlatform(config.platformName);
  const stopped = waitForStop(config);
  console.log(`Milaan ${version}, ${config.mode} mode (${config.roles.join(', ')})`);
  say(describeInstallation(config));
  for (const warning of config.warnings) say(`warning: ${warning}`);
  try {
    // Check the port before anything is created or migrated: the previous version or another sandbox may be using it.
    const port = await freePort(config.host, config.port).catch(error => {
      throw listenProblem(error, config.host, config.port);
    });
    const baseUrl = config.publicUrl ?? httpAddress(config.host, port);
    // Loaded while the database starts, because the two take most of a start's time.
    const loading = import('./start-roles.ts');
    const [{ startRoles }, { world, close }] = await Promise.all([
      loading,
      openWorld({ ...config, port }, { baseUrl, say, loading }),
    ]);
    try {
      const met = world.cells?.worlds.filter((_, cell) => !world.cells?.awaited(cell)) ?? [world];
      if (config.mode === 'live') for (const one of met) await warnOfLostSecrets(one, say);
      const running = await startRoles(world, say);
      say('ready; stop with Ctrl-C');
      // Write the cache now, so that it exists for the next start even if this process is killed.
      flushCompileCache();
      running.warm?.();
      const signal = await stopped;
      say(`${signal}: finishing work in progress`);
      setTimeout(() => process.exit(1), stopLimit).unref();
      await running.stop();
    } finally {
      await close();
    }
    say('stopped');
  } catch (error) {
    // A database that is restarting is not our fault, and the supervisor starts us again.
    if (!(error instanceof StartError) && !isDatabaseDown(error)) throw error;
    console.error(`milaan: ${(error as Error).message}`);
    process.exitCode = 1;
  }
  // A socket that a peer keeps open must not keep this process alive.
  process.exit();
}

/** Only a warning: after losing a key, merchants must be able to connect again. A mistyped key would show nowhere else. */
async function warnOfLostSecrets(world: World, say: (line: string) => void): Promise<void> {
  const { countLostSecrets } = await import('./operator/seal-again.ts');
  const lost = await countLostSecrets(world);
  if (lost === 0) return;
  const warning = `${lost} stored secrets were sealed with a key that is not in SECRET_KEY: their mailboxes are not read and their webhooks not signed`;
  say(`warning: ${warning}`);
  world.log.error(warning);
}
