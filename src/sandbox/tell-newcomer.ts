import { httpAddress } from '../base/listen-problem.ts';
import type { Playground } from './playground.ts';
import { type SandboxFile, sandboxFilePath, writeSandboxFile } from './sandbox-file.ts';

/** Writes `sandbox.json` and says the same to whoever started us. */
export function tellNewcomer(
  { world, demo }: Pick<Playground, 'world' | 'demo'>,
  { shopUrl, smtpPort }: { shopUrl: string | null; smtpPort: number | null },
  say: (line: string) => void,
): void {
  const { dataDir, receiveHost } = world.config;
  const smtpUrl = smtpPort === null ? null : httpAddress(receiveHost, smtpPort).replace('http:', 'smtp:');
  const { merchantId: _, ...told } = demo;
  const file: SandboxFile = { base_url: world.baseUrl, shop_url: shopUrl, smtp_url: smtpUrl, ...told };
  writeSandboxFile(dataDir, file);
  const rows: [name: string, value: string | null][] = [
    ['demo shop', shopUrl],
    ['API', `${file.base_url}/api/v1/orders`],
    ['dashboard', `${file.base_url}/dashboard`],
    ['documentation', `${file.base_url}/docs`],
    ['API key', file.api_key],
    ['webhook secret', file.webhook_secret],
    ['sign-in', `${file.email}, password ${file.password}`],
    ['alerts by mail', smtpUrl && `${smtpUrl} to ${file.forward_to}`],
    ['all of it in', sandboxFilePath(dataDir)],
  ];
  say('');
  say('This is the sandbox: everything works, and no money moves.');
  for (const [name, value] of rows) if (value !== null) say(`  ${name.padEnd(15)} ${value}`);
  if (world.clock.leadMs() > 0) {
    say(
      `  its clock is ahead by ${Math.round(world.clock.leadMs() / 1000)} s; POST /sandbox/reset sets it back`,
    );
  }
  say('');
}
