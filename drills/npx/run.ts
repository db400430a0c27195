import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type * as Sdk from '../../sdk/src/milaan.ts';
import { freePort } from '../../src/base/free-port.ts';
import { readSandboxFile } from '../../src/sandbox/sandbox-file.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { answer, startReceiver } from '../../test/support/webhook-receiver.ts';
import { playDrill } from '../play-drill.ts';
import { judgeCorpus } from './judge-corpus.ts';
import { openLossyLine } from './lossy-line.ts';

/**
 * `npm run drill -- npx`: the packages as npm would publish them, installed from their files into an empty folder by
 * the machine's own Node and used there: the sandbox by one command, its events on a laptop through everything that
 * can be lost, the verifier as a library.
 */
const packages = { npm: 'milaan', sdk: '@milaan/sdk', alerts: '@milaan/alerts' };
/** Nothing of this checkout: whoever types npx has neither its Node nor its packages. */
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/bin';
const unwanted =
  /\/(?:test|tests|node_modules|\.cache|__pycache__|drills|bench)\/|\.test\.|(?<!\.d)\.ts$|\.map$/;
const patience = 240_000;

await playDrill('npx drill', async ({ folder, onEnd, see }) => {
  const files = Object.entries(packages).map(([what, name]) => {
    const file = resolve(
      execFileSync('npm', ['run', '-s', 'package', '--', what], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    );
    const list = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
    const manifest = JSON.parse(
      execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }),
    );
    const kib = Math.round(statSync(file).size / 1024);
    see(
      `${name} ${manifest.version}: ${basename(file)}, ${kib} KiB, ${list.length} files, a README, no test, cache or source map`,
      manifest.name === name && list.includes('package/README.md') && !list.some(one => unwanted.test(one)),
      list.filter(one => unwanted.test(one)).join('\n'),
    );
    see(`${name} is private until a licence is chosen`, manifest.private === true);
    return file;
  });

  const home = join(folder, 'empty');
  mkdirSync(home);
  const env = { PATH: path, HOME: process.env['HOME'] };
  const node = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...files],
    {
      cwd: home,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const size = execFileSync('du', ['-sm', 'node_modules'], { cwd: home, encoding: 'utf8' }).split('\t')[0];
  see(
    `installed by the machine's own Node ${node} into an empty folder, ${size} MB with Node and PostgreSQL`,
    true,
  );
  const bin = join(home, 'node_modules/.bin/milaan');
  const { verifyWebhook } = (await import(
    join(home, 'node_modules/@milaan/sdk/dist/milaan.js')
  )) as typeof Sdk;

  const port = await freePort();
  const dataDir = join(home, '.milaan');
  const start = async (command: string, ...args: string[]) => {
    const child = spawn(command, args, {
      cwd: home,
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', chunk => {
      said += chunk;
    });
    // Once nobody writes any more: not the launcher alone, the program behind it too.
    const ended = new Promise<number | null>(end => child.once('close', code => end(code)));
    onEnd(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    });
    return { child, ended, said: () => said };
  };
  const startSandbox = async (command: string, ...args: string[]) => {
    const running = await start(command, ...args);
    await waitFor('the sandbox is ready', () => running.said().includes('ready; stop with'), patience);
    return running;
  };
  const startListening = async (url: string, nodes = `${home}/node_modules/.bin:${path}`) => {
    const set = [`PATH=${nodes}`, `MILAAN_URL=${url}`, `MILAAN_API_KEY=${key}`];
    const running = await start('/usr/bin/env', ...set, bin, ...listen);
    await waitFor('it listens', () => running.said().includes('secret'), patience);
    return running;
  };
  const trigger = (...args: string[]) =>
    spawnSync(bin, ['trigger', ...args, '--json'], { cwd: home, env, encoding: 'utf8' });

  const first = await startSandbox('npx', 'milaan', 'sandbox', '--env-file=/dev/null');
  const { base_url: url = '', api_key: key = '' } = readSandboxFile(dataDir);
  see(
    'npx milaan sandbox is ready, with its data in the folder it was called in',
    url.endsWith(String(port)),
  );
  const served = await Promise.all(
    [
      ...['/docs', '/docs/api', '/docs/agents', '/docs/collection.json', '/llms.txt'],
      ...['/embed/milaan.js', `/sdk/${basename(files[1]!)}`],
    ].map(async path => (await fetch(url + path)).status),
  );
  see(
    'docs, widget and SDK are served without a compiler',
    served.every(status => status === 200),
    served.join(),
  );

  let isLaptopDown = false;
  const laptop = await startReceiver((response, request) =>
    isLaptopDown ? request.socket.destroy() : answer(204, '')(response, request),
  );
  onEnd(() => laptop.stop());
  const listen = ['listen', '--json', '--forward-to', laptop.url];
  const line = await openLossyLine(port);
  onEnd(() => line.stop());
  let listening = await startListening(line.url);
  await waitFor('it has looked once', () => listening.said().includes('listening'), patience);
  const { secret } = JSON.parse(listening.said().split('\n')[0] ?? '') as { secret: string };

  const paid: string[] = [];
  const pay = (...args: string[]) => {
    const { status, stdout, stderr } = trigger('paid', ...args);
    if (status !== 0) throw new Error(`trigger ended with ${status}: ${stderr}`);
    const order = (JSON.parse(stdout) as { order_id: string }).order_id;
    paid.push(order);
    return order;
  };
  const arrived = () =>
    laptop.received
      .slice(from)
      .map(({ body }) => (JSON.parse(body) as { data: { order_id: string } }).data.order_id);
  let from = 0;
  const comes = (order: string) => waitFor(`${order} arrives`, () => arrived().includes(order), patience);

  await comes(pay());
  see('trigger paid: the event is on the laptop', true);
  for (const way of ['forged', 'rounded', 'late'])
    see(`trigger ${way} goes as it should`, trigger(way).status === 0);
  await waitFor('the late one', () => laptop.received.length === 2, patience);
  see('a late payment arrives, a forged mail and a rounded sum send nothing', laptop.received.length === 2);

  line.lose();
  const [inTheDark, after] = [pay(), pay()];
  await waitFor('it says so', () => listening.said().includes('waiting'), patience);
  line.mend();
  await comes(after);
  see(
    'what happened while the network was lost arrives, in its order',
    isInOrder(arrived(), inTheDark, after),
  );

  isLaptopDown = true;
  const whileDown = pay();
  await waitFor('it was tried', () => listening.said().split('waiting').length > 2, patience);
  isLaptopDown = false;
  from = laptop.received.length;
  await comes(whileDown);
  see('what the program did not take while it was down arrives when it is back', true);

  listening.child.kill('SIGKILL');
  await listening.ended;
  const [unheard, unheardToo] = [pay(), pay()];
  process.kill(Number(readFileSync(join(dataDir, 'milaan.pid'), 'utf8')), 'SIGKILL');
  await first.ended;
  see('with nobody there trigger ends with 2', trigger('paid').status === 2);
  listening = await startListening(line.url);
  await waitFor('it waits', () => listening.said().includes('waiting'), patience);
  const second = await startSandbox(bin, 'sandbox', '--env-file=/dev/null');
  await comes(unheardToo);
  see(
    `killed with -9, both, and started again on Node ${node} by its own name: nothing is lost, in its order`,
    isInOrder(arrived(), unheard, unheardToo),
  );
  await comes(pay());

  from = 0;
  const taken = laptop.received.filter(({ headers }) => headers['webhook-id'] !== undefined);
  const checks = await Promise.allSettled(
    taken.map(({ body, headers }) => verifyWebhook(body, headers, secret)),
  );
  see(
    `${taken.length} deliveries of ${paid.length} triggered payments and a late one (what was dropped came again), each verified by the installed SDK with the printed secret`,
    checks.every(({ status }) => status === 'fulfilled') && paid.every(order => arrived().includes(order)),
  );
  const launched = await startListening(line.url, path);
  launched.child.kill('SIGKILL');
  await launched.ended;
  see(`on Node ${node} a launcher that is killed with -9 takes the program along`, true);
  listening.child.kill('SIGTERM');
  second.child.kill('SIGTERM');
  see('both end by SIGTERM with 0', (await listening.ended) === 0 && (await second.ended) === 0);

  judgeCorpus(home, see);
});

function isInOrder(arrived: string[], one: string, other: string): boolean {
  return arrived.includes(one) && arrived.indexOf(one) < arrived.indexOf(other);
}
