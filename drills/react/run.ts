import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packPackage } from '../../scripts/pack-package.ts';
import { freePort } from '../../src/base/free-port.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { playDrill, type Stage } from '../play-drill.ts';
import { type Milaan, startMilaan } from '../woo/milaan.ts';
import { buyInNext, buyInVite, type ReactShop } from './buy.ts';
import { checkTypes, nextFiles, npm, viteFiles, writeShop } from './install.ts';

/**
 * `npm run drill -- react`: packs the SDK and the React package, installs them into empty folders, builds the recipes of
 * docs/react.md with Next.js and with Vite, and buys in both with Chromium against a running sandbox.
 */
const react = ['react@19', 'react-dom@19', '@types/react@19', '@types/react-dom@19', '@types/node@24'];

await playDrill('React', async stage => {
  const [sdk, ours] = ['sdk', 'sdk/react'].map(source => packPackage(source, stage.folder)) as [
    string,
    string,
  ];
  const bytes = statSync(ours).size;
  const depends = JSON.parse(readFileSync('sdk/react/package.json', 'utf8'));
  stage.see(
    `the package is one file of ${bytes} bytes and depends on nothing`,
    depends.dependencies === undefined,
  );
  publishes(stage);
  for (const version of ['18', '19'])
    attempt(stage, `its sources fit the types of React ${version}`, () =>
      checkTypes(join(stage.folder, `types-${version}`), `@types/react@${version}`),
    );
  const milaan = await startMilaan();
  stage.onEnd(() => milaan.stop());
  const browser = await openBrowser();
  stage.onEnd(() => browser.stop());

  const next = join(stage.folder, 'next');
  writeShop(next, nextFiles, [...react, 'next@16', 'typescript@5', sdk, ours]);
  attempt(stage, 'Next.js builds the recipe, types and all', () => run(next, 'next', 'build'));
  const inNext = await startShop(stage, milaan, next, ['node_modules/.bin/next', 'start']);
  await buyInNext(stage, browser, milaan, inNext);

  const vite = join(stage.folder, 'vite');
  // Vite asks for "about" this one; of a newer one a registry may lack the part for this machine.
  const tools = ['rolldown@1.2.18', 'vite@8', '@vitejs/plugin-react@latest', 'express@5', 'typescript@5'];
  writeShop(vite, viteFiles, [...react, ...tools, sdk, ours]);
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--jsx', 'react-jsx', '--module', 'esnext'];
  attempt(stage, 'the recipe for Vite fits the types', () =>
    run(vite, 'tsc', ...flags, '--moduleResolution', 'bundler', '--target', 'es2022', 'src/main.tsx'),
  );
  attempt(stage, 'Vite builds the recipe', () => run(vite, 'vite', 'build'));
  const inVite = await startShop(stage, milaan, vite, ['server.mjs']);
  await buyInVite(stage, browser, milaan, inVite);
});

/** Packs it as for publication. Only the licence is missing, and `private`, which prevents an accident, is removed. */
function publishes(stage: Stage): void {
  const copy = join(stage.folder, 'public');
  cpSync('sdk/react', copy, { recursive: true, filter: path => !path.includes('node_modules') });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  delete manifest.private;
  delete manifest.scripts;
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
  attempt(stage, 'npm publish --dry-run is content, once it is private no more', () =>
    npm(copy, 'publish', '--dry-run', '--access', 'public'),
  );
}

function run(folder: string, tool: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(folder, 'node_modules/.bin', tool), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: tmpdir(), NEXT_TELEMETRY_DISABLED: '1', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function attempt(stage: Stage, claim: string, work: () => unknown): void {
  try {
    work();
    stage.see(claim, true);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    stage.see(claim, false, `${(error as Error).message}\n${stdout}${stderr}`);
  }
}

async function startShop(stage: Stage, milaan: Milaan, cwd: string, command: string[]): Promise<ReactShop> {
  const port = await freePort('127.0.0.1');
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [resolve(cwd, command[0]!), ...command.slice(1)], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      NEXT_TELEMETRY_DISABLED: '1',
      MILAAN_URL: milaan.url,
      MILAAN_API_KEY: milaan.file.api_key,
      MILAAN_WEBHOOK_SECRET: milaan.file.webhook_secret,
      SHOP_URL: url,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk;
    });
  const ended = new Promise(resolve => child.once('exit', resolve));
  stage.onEnd(async () => {
    child.kill();
    await ended;
  });
  await waitFor('the shop answers', () => fetch(url).then(Boolean, () => false), 60_000).catch(error => {
    throw new Error(`${error.message}\n${said}`);
  });
  return { url, said: () => said };
}
