import { flushCompileCache } from 'node:module';
import { second } from './clock.ts';
import { type Config, readConfig, readEnvFile } from './config.ts';
import { freePort } from './free-port.ts';
import { httpAddress, listenProblem } from './listen-problem.ts';
import { openWorld } from './open-world.ts';
import { StartError } from './start-error.ts';
import { untilToldToStop } from './until-told-to-stop.ts';

const stopLimit = 10 * second;

readEnvFile();
const read = readConfig(process.argv.slice(2));
if ('problems' in read) {
  for (const problem of read.problems) console.error(`milaan: ${problem}`);
  process.exitCode = 1;
} else {
  await run(read.config);
}

async function run(config: Config): Promise<void> {
  const say = (line: string) => console.log(`  ${line}`);
  const stopped = untilToldToStop(config);
  console.log(`Milaan, ${config.mode} mode (${config.roles.join(', ')})`);
  try {
    const port = config.port || (await portFor(config.host));
    const baseUrl = config.publicUrl ?? httpAddress(config.host, port);
    // Loaded while the database starts: together they are most of the time that a start takes.
    const loading = import('./start-roles.ts');
    const [{ startRoles }, { world, close }] = await Promise.all([
      loading,
      openWorld({ ...config, port }, { baseUrl, say, loading }),
    ]);
    try {
      const running = await startRoles(world, say);
      say('ready; stop with Ctrl-C');
      // Now rather than at the end: a program that is killed leaves it for the next start all the same.
      flushCompileCache();
      const signal = await stopped;
      say(`${signal}: finishing what is under way`);
      setTimeout(() => process.exit(1), stopLimit).unref();
      await running.stop();
    } finally {
      await close();
    }
    say('stopped');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(`milaan: ${error.message}`);
    process.exitCode = 1;
  }
  // A socket that somebody else keeps open must not keep us.
  process.exit();
}

async function portFor(host: string): Promise<number> {
  try {
    return await freePort(host);
  } catch (error) {
    throw listenProblem(error, host, 0);
  }
}
