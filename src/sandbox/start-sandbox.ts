import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Shop, startShop } from '../../examples/shop/start-shop.ts';
import { openBankBook } from '../alerts/book/open-bank-book.ts';
import { judgeStoredMails } from '../alerts/judging/judge-stored-mails.ts';
import { openJudging } from '../alerts/judging/open-judging.ts';
import { alertChannel } from '../alerts/queries.ts';
import { second } from '../base/clock.ts';
import { keepWorking } from '../base/database/keep-working.ts';
import type { App } from '../base/http/app.ts';
import type { Html } from '../base/http/html.ts';
import { httpAddress } from '../base/listen-problem.ts';
import type { World } from '../base/world.ts';
import { writeOwnFile } from '../base/write-own-file.ts';
import type { PageOrder } from '../orders/page/queries.ts';
import { barRoutes, buildBar } from './bar.ts';
import { openBank } from './open-bank.ts';
import { openDemoMerchant, openDemoSeller } from './open-demo-merchant.ts';
import { type Playground, type SandboxWorld, sandboxKeys } from './playground.ts';
import { recordDemoPoll } from './queries.ts';
import { sandboxRoutes } from './routes.ts';
import { sandboxClock } from './sandbox-clock.ts';
import { sandboxDns } from './sandbox-dns.ts';
import { readSandboxFile, type SandboxFile, sandboxFilePath, writeSandboxFile } from './sandbox-file.ts';

type Options = {
  shop?: boolean;
  /** Mails are judged in this process if no process has the mail role. */
  judgesItself?: boolean;
};

export type OpenSandbox = Awaited<ReturnType<typeof startSandbox>>;

export async function startSandbox(
  outside: World,
  say: (line: string) => void,
  { shop: withShop = true, judgesItself = !outside.config.roles.includes('mail') }: Options = {},
) {
  const [{ playground, judging }, bar] = await Promise.all([
    openSandbox(outside, { judgesItself }),
    buildBar(),
  ]);
  const { world, demo } = playground;
  const mailbox = startDemoMailbox(playground);
  let shop: Shop | null = null;
  return {
    world,
    judging,
    routes(app: App): (order: PageOrder) => Html {
      // The widget computes the time left from this header, so it must follow the sandbox's clock like the order does.
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('date', world.clock.now().toUTCString());
      });
      sandboxRoutes(app, playground);
      return barRoutes(app, [demo.merchantId, playground.seller?.merchantId], bar);
    },
    /** Starts the demo shop and prints the sandbox's addresses. Call it once the service listens. */
    async welcome(smtpPort: number | null): Promise<void> {
      if (withShop && world.config.roles.includes('web')) shop = await startDemoShop(playground);
      printWelcome(playground, { shopUrl: shop?.url ?? null, smtpPort }, say);
    },
    async stop(): Promise<void> {
      await shop?.stop();
      await mailbox.stop();
      await judging.close();
    },
  };
}

/** Runs the example shop on its own port, as a stranger's server would: it has only the key, and its own clock. */
async function startDemoShop({ world, demo }: Playground): Promise<Shop> {
  const { config, baseUrl } = world;
  const { api_key: apiKey, webhook_secret: webhookSecret } = demo;
  const start = (port: number) => startShop({ port, baseUrl, apiKey, webhookSecret });
  const shop = await start(config.shopPort).catch(() => start(0));
  // Webhooks may go to the port that the shop got.
  config.shopPort = Number(new URL(shop.url).port);
  return shop;
}

const pause = 20 * second;

/** Replaces the demo mailbox's watcher. Mails are handed over directly, so each poll records that none is missing. */
function startDemoMailbox({ world }: Pick<Playground, 'world'>): {
  stop(): Promise<void>;
} {
  return keepWorking(world, { what: 'looking at the demo mailbox', pause }, () =>
    recordDemoPoll(world.sql, world.clock.now()),
  );
}

function printWelcome(
  { world, demo }: Pick<Playground, 'world' | 'demo'>,
  { shopUrl, smtpPort }: { shopUrl: string | null; smtpPort: number | null },
  say: (line: string) => void,
): void {
  const { dataDir, receiveHost } = world.config;
  const smtpUrl = smtpPort === null ? null : httpAddress(receiveHost, smtpPort).replace('http:', 'smtp:');
  const { merchantId: _, ...facts } = demo;
  const file: SandboxFile = { base_url: world.baseUrl, shop_url: shopUrl, smtp_url: smtpUrl, ...facts };
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
    ['saved in', sandboxFilePath(dataDir)],
  ];
  say('');
  say('This is the sandbox: everything works, and no money moves.');
  for (const [name, value] of rows) if (value !== null) say(`  ${name.padEnd(15)} ${value}`);
  if (world.clock.leadMs() > 0) {
    say(
      `  The clock is ${Math.round(world.clock.leadMs() / 1000)} s ahead; POST /sandbox/reset sets it back.`,
    );
  }
  say('');
}

/** Wraps the outside world: the sandbox has its own clock, DNS and bank, and the demo business. */
export async function openSandbox(outside: World, { judgesItself }: { judgesItself: boolean }) {
  const { mode, dataDir } = outside.config;
  if (mode !== 'sandbox') throw new Error('nothing of the sandbox may run live');
  const bank = openBank(dataDir);
  const state = readKeptState(dataDir);
  const keep = (change: Partial<typeof state>) => keepState(dataDir, Object.assign(state, change));
  const clock = sandboxClock(outside.clock, {
    leadMs: state.clockLeadMs,
    keep: clockLeadMs => keep({ clockLeadMs }),
  });
  const dns = sandboxDns(outside.dns, {
    always: { [bank.keyName]: bank.keyRecord },
    dns: state.dns,
    keep: dns => keep({ dns }),
  });
  const banks = openBankBook(() => [...outside.banks.base(), bank.entry]);
  const world: SandboxWorld = { ...outside, clock, dns, banks };
  const keys = sandboxKeys(world);
  const demo = await openDemoMerchant(world, readSandboxFile(dataDir));
  const seller = await openDemoSeller(world, demo.password);
  const judging = openJudging(world, keys);
  const judge = judgesItself
    ? () => judgeStoredMails(world, judging.tools)
    : () => world.sql.notify(alertChannel, '');
  return { playground: { world, demo, seller, bank, keys, judge: async () => await judge() }, judging };
}

/** State that survives a restart. Without the clock's lead, stored orders would be in the future. */
type KeptState = { clockLeadMs: number; dns: Record<string, string> };

const nothing: KeptState = { clockLeadMs: 0, dns: {} };

export function readKeptState(dataDir: string): KeptState {
  try {
    return { ...nothing, ...(JSON.parse(readFileSync(placeOf(dataDir), 'utf8')) as Partial<KeptState>) };
  } catch {
    return nothing;
  }
}

function keepState(dataDir: string, state: KeptState): void {
  writeOwnFile(placeOf(dataDir), JSON.stringify(state));
}

function placeOf(dataDir: string): string {
  return join(dataDir, 'sandbox-state.json');
}
