import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { olderNode } from './older-node.ts';
import type { SampleProject } from './sample-project.ts';

type Ask = {
  call: string;
  baseUrl?: string;
  apiKey?: string;
  options?: Record<string, number>;
  args?: Record<string, unknown>;
};
/** The result, in the words of the TypeScript SDK for every language. */
type Said = {
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client of another language returned
  value?: any;
  error?: Record<string, unknown>;
  refused?: string;
  mistake?: string;
};

/** A program in the language of a client, which does with it what a test asks. */
export type ClientProgram = { language: string; ask(ask: Ask): Promise<Said>; stop(): void };

/** All clients that shops can have. JavaScript is what was built, on the oldest Node of this machine. */
export function startClients(project: SampleProject): ClientProgram[] {
  const built = join(project.folder, 'node_modules/@milaan/sdk/dist/milaan.js');
  const script = (file: string) => resolve('test/sdk/drivers', file);
  const js = script('client.js');
  const php = resolve('sdk/php/Milaan.php');
  return [
    program('TypeScript', pathToFileURL(resolve('sdk/src/milaan.ts')).href, [process.execPath, js]),
    program('JavaScript', pathToFileURL(built).href, [olderNode().path, js]),
    program('PHP', php, ['php', script('client.php')]),
    program('PHP without curl', php, ['php', '-d', 'disable_functions=curl_init', script('client.php')]),
    program('Python', resolve('sdk/python/milaan.py'), ['python3', '-B', script('client.py')]),
  ];
}

function program(language: string, client: string, [command = '', ...args]: string[]): ClientProgram {
  let child: ChildProcess | null = null;
  const waiting: ((said: Said) => void)[] = [];
  const start = () => {
    const started = spawn(command, args, {
      env: { PATH: process.env['PATH'] ?? '', HOME: '/tmp', MILAAN_CLIENT: client },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: started.stdout }).on('line', line => waiting.shift()?.(JSON.parse(line)));
    started.once('exit', () => {
      child = null;
      for (const settle of waiting.splice(0)) settle({ mistake: `the ${language} program ended` });
    });
    return started;
  };
  return {
    language,
    ask: ask =>
      new Promise(settle => {
        child ??= start();
        waiting.push(settle);
        child.stdin?.write(`${JSON.stringify(ask)}\n`);
      }),
    stop: () => void child?.kill(),
  };
}
