import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSamples } from '../../test/support/doc-samples.ts';

export const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** An empty folder with the files of the page's recipes, and the packages that they name. */
export function writeShop(folder: string, files: Record<string, string>, packages: string[]): void {
  const samples = readSamples().filter(({ file }) => file === 'docs/react.md');
  for (const [path, recipe] of Object.entries(files)) {
    const code = samples.find(one => one.recipe === recipe)?.code;
    if (code === undefined) throw new Error(`docs/react.md has no ${recipe}`);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "tea-shop", "private": true, "type": "module", "version": "1.0.0" }',
  );
  npm(folder, 'install', ...packages);
}

export const nextFiles = {
  'app/books.ts': 'react-next-books',
  'app/page.tsx': 'react-next-page',
  'app/checkout.tsx': 'react-next-checkout',
  'app/layout.tsx': 'react-next-layout',
  'app/create-upi-order/route.ts': 'react-next-create',
  'app/webhooks/upi/route.ts': 'react-next-webhook',
  'app/upi-orders/[id]/route.ts': 'react-next-status',
  'app/thanks/[id]/page.tsx': 'react-next-thanks',
};

export const viteFiles = {
  'index.html': 'react-vite-index',
  'vite.config.ts': 'react-vite-config',
  'src/main.tsx': 'react-vite-main',
  'server.mjs': 'react-vite-server',
};

/** Our sources against React's own types, which the package's build does without. */
export function checkTypes(folder: string, types: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(folder, 'install', types);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('sdk/tsconfig.json'),
      compilerOptions: {
        noEmit: true,
        rootDir: '/',
        paths: { react: ['./node_modules/@types/react/index.d.ts'] },
      },
      include: [resolve('sdk/react/src')],
    }),
  );
  execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { stdio: 'pipe' });
}
