import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { later, minute } from '../../../src/base/clock.ts';
import { freePort } from '../../../src/base/free-port.ts';
import { readSamples, type Sample } from '../../support/doc-samples.ts';
import { needs } from '../../support/needs.ts';
import { olderNode } from '../../support/older-node.ts';
import { newSampleProject } from '../../support/sample-project.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { assertHearsOfPayment, createdFor, startShopProcess } from '../../support/shop-process.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';
import { prepare, use } from '../../support/use.ts';
import { openWholeService } from '../../support/whole-service.ts';

/** How a sample of a language is run: the name of its file, and the command. */
type LanguageRunner = {
  extension: string;
  needs?: 'curl' | 'PHP' | 'Python';
  command(path: string, port: number | null): string[];
};
const runners: Record<string, LanguageRunner> = {
  sh: { extension: 'sh', needs: 'curl', command: path => ['bash', '-euo', 'pipefail', path] },
  ts: { extension: 'ts', command: path => [process.execPath, path] },
  js: { extension: 'mjs', command: path => [olderNode().path, path] },
  python: { extension: 'py', needs: 'Python', command: path => ['python3', path] },
  php: {
    extension: 'php',
    needs: 'PHP',
    command: (path, port) => (port === null ? ['php', path] : ['php', '-S', `127.0.0.1:${port}`, path]),
  },
};
const samples = readSamples();

const service = use(openWholeService);
prepare(async () => {
  // Samples tell the time by the machine's clock, and so must the signatures they check.
  service.world.clock.set(new Date());
});
const project = use(newSampleProject);

let number = 0;

function commandFor(sample: Sample, port: number | null): [string, string[]] {
  const runner = runners[sample.language];
  assert.ok(runner, `nothing runs ${sample.language}`);
  const path = project.write(`sample-${++number}.${runner.extension}`, sample.code);
  const [command = '', ...args] = runner.command(path, port);
  return [command, args];
}

const environment = (merchant: TestMerchant, more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: '/tmp',
  MILAAN_URL: service.url,
  MILAAN_API_KEY: merchant.apiKey,
  MILAAN_WEBHOOK_SECRET: service.webhookSecret,
  SHOP_URL: 'https://shop.example.com',
  ...more,
});

/** Runs a sample to its end as a shop of its own, and returns what it printed. */
async function output(sample: Sample, env: Record<string, string>): Promise<string> {
  const [command, args] = commandFor(sample, null);
  const { stdout } = await promisify(execFile)(command, args, { env, timeout: 110_000 });
  return stdout;
}

const scenarios: Record<string, (sample: Sample) => Promise<void>> = {
  async create(sample) {
    const merchant = await addTestMerchant(service.world);
    const said = await output(sample, environment(merchant));
    const rows = await service.world
      .sql`select order_id, merchant_order_id, amount_paise, pay_token from orders where merchant_id = ${merchant.merchantId}`;
    assert.deepEqual(
      rows.map(row => row['amount_paise']),
      [49_900],
    );
    assert.match(rows[0]?.['merchant_order_id'], /^(order|quick-start)-[\w-]{16,}$/);
    assert.ok(said.includes(rows[0]?.['order_id']), said);
    assert.ok(said.includes(`${service.url}/pay/${rows[0]?.['pay_token']}`), said);
  },
  async check(sample) {
    const { order_id } = await createdFor(service, service.merchant.apiKey);
    assert.match(await output(sample, environment(service.merchant, { ORDER_ID: order_id })), /pending/);
  },
  async reconcile(sample) {
    const made = () => createdFor(service, service.merchant.apiKey);
    const [paid, open, lost] = [await made(), await made(), await made()];
    await service.pay(paid.payable_amount);
    const unknown = { merchant_order_id: 'never-arrived', order_id: null };
    const said = await output(
      sample,
      environment(service.merchant, {
        PENDING_ORDER_IDS: `${paid.order_id} ${open.order_id}`,
        PENDING: JSON.stringify([paid, { ...lost, order_id: null }, unknown, open]),
      }),
    );
    if (sample.language === 'sh') {
      assert.match(said, new RegExp(`${paid.order_id}[^\\n]*paid[\\s\\S]*${open.order_id}[^\\n]*pending`));
      return;
    }
    assert.equal(
      said,
      `${paid.merchant_order_id} paid\n${lost.merchant_order_id} pending\nnever-arrived unknown\n${open.merchant_order_id} pending\n`,
    );
  },
  async pay(sample) {
    const sandbox = await openTestSandbox();
    try {
      const url = await sandbox.app.listen({ host: '127.0.0.1', port: 0 });
      const { order_id } = await sandbox.create();
      const env = environment(service.merchant, { MILAAN_URL: url, ORDER_ID: order_id });
      assert.equal(JSON.parse(await output(sample, env)).verdict, 'paid');
      assert.equal((await sandbox.order(order_id))['status'], 'paid');
    } finally {
      await sandbox.stop();
    }
  },
  async iterate(sample) {
    const merchant = await addTestMerchant(service.world);
    const orders = [await createdFor(service, merchant.apiKey), await createdFor(service, merchant.apiKey)];
    const said = await output(sample, environment(merchant));
    for (const { order_id } of orders) assert.match(said, new RegExp(`${order_id} cart-\\d+ pending`));
  },
  async errors(sample) {
    assert.equal(await output(sample, environment(service.merchant)), 'there is no such order\n');
  },
  async genuine(sample) {
    const driver = drivers[sample.language];
    assert.ok(driver, `nothing asks ${sample.language}`);
    const env = environment(service.merchant, { CASES: JSON.stringify(signedCases()) });
    const said = await output({ ...sample, code: driver(sample.code) }, env);
    assert.deepEqual(said.trim().split(/\s+/), ['True', 'False', 'False', 'True', 'False', 'False']);
  },
  async cors(sample) {
    const port = await freePort('127.0.0.1');
    const [command, args] = commandFor(sample, port);
    const merchant = await addTestMerchant(service.world);
    const env = environment(merchant, { PORT: String(port) });
    const shop = startShopProcess([command, ...args], { env });
    const ask = (method: string, origin: string) =>
      fetch(`http://127.0.0.1:${port}/create-upi-order`, {
        method,
        headers: { origin, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{"amount":499}' }),
      });
    const page = 'http://localhost:5173';
    const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');
    try {
      await until('the sample listens', () => ask('OPTIONS', page).then(Boolean, () => false));
      const preflight = await ask('OPTIONS', page);
      assert.deepEqual([preflight.status, allowed(preflight)], [204, page]);
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/i);
      const created = await ask('POST', page);
      assert.deepEqual([created.status, allowed(created)], [201, page]);
      assert.match(((await created.json()) as { order_id: string }).order_id, /^ML-/);
      assert.equal(allowed(await ask('OPTIONS', 'https://evil.example')), null);
    } finally {
      shop.stop();
    }
  },
  webhook: receives,
  fastify: receives,
  async next(sample) {
    const path = project.write(`route-${++number}.ts`, sample.code);
    process.env['MILAAN_WEBHOOK_SECRET'] = service.webhookSecret;
    const receiver = await import(pathToFileURL(path).href);
    assert.equal((await receiver.POST(new Request(service.url, { method: 'POST', body: '{}' }))).status, 400);
    await receives({ ...sample, code: serveRoute(path) });
  },
};

/** How the documented function is asked about each case; it prints True or False. */
const drivers: Record<string, (code: string) => string> = {
  python: code => `${code}
import json, os, time
for headers, body in json.loads(os.environ["CASES"]):
    print(is_genuine(os.environ["MILAAN_WEBHOOK_SECRET"], headers, body.encode(), time.time()))
`,
  php: code => `<?php
${code}
foreach (json_decode(getenv('CASES'), true) as [$headers, $body]) {
    $genuine = isGenuine(getenv('MILAAN_WEBHOOK_SECRET'), $headers['webhook-id'], $headers['webhook-timestamp'],
        $headers['webhook-signature'], $body);
    echo $genuine ? "True\\n" : "False\\n";
}
`,
};

/** Genuine; a changed body; rightly signed but ten minutes old; genuine with a second signature before it; no time; no letters. */
function signedCases(): [Record<string, string>, string][] {
  const body = '{"type":"payment.paid","data":{"customer":{"name":"आशा"}}}';
  const signed = (time: Date, more = '') => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': more + new Webhook(service.webhookSecret).sign('evt_1', time, body),
  });
  const now = new Date();
  return [
    [signed(now), body],
    [signed(now), body.replace('paid', 'gone')],
    [signed(later(now, -10 * minute)), body],
    [signed(now, `v1,${Buffer.alloc(32).toString('base64')} `), body],
    [{ ...signed(now), 'webhook-timestamp': 'soon' }, body],
    [{ ...signed(now), 'webhook-signature': 'v1,é' }, body],
  ];
}

/** The route of a framework that hands over Request objects, behind Node's own server. */
function serveRoute(path: string): string {
  return `
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { POST } from ${JSON.stringify(pathToFileURL(path).href)};
createServer(async (request, response) => {
  const body = Readable.toWeb(request);
  const { status } = await POST(new Request('http://shop/', { method: 'POST', headers: request.headers, body, duplex: 'half' }));
  response.writeHead(status).end();
}).listen(process.env.PORT);`;
}

/** The sample as a shop that hears of payments. */
async function receives(sample: Sample): Promise<void> {
  const port = await freePort('127.0.0.1');
  const [command, args] = commandFor(sample, port);
  const env = environment(service.merchant, { PORT: String(port) });
  const shop = startShopProcess([command, ...args], { env });
  try {
    await assertHearsOfPayment(service, shop, `http://127.0.0.1:${port}/webhooks/upi`);
  } finally {
    shop.stop();
  }
}

for (const sample of samples.filter(({ run }) => run !== null)) {
  const name = `${sample.file} line ${sample.line}: the ${sample.language} sample "${sample.run}"`;
  const need = runners[sample.language]?.needs;
  needs(...(need ? [need] : [])).test(`${name} works against the running service`, async () => {
    const play = scenarios[sample.run ?? ''];
    assert.ok(play, `no scenario plays "${sample.run}"`);
    await play(sample);
  });
}

for (const sample of samples.filter(({ check }) => check !== null)) {
  test(`${sample.file} line ${sample.line}: the ${sample.check} sample parses; ${sample.check} is not among our packages, so it was NOT run`, () => {
    const path = project.write(`check-${++number}.mjs`, sample.code);
    execFileSync(process.execPath, ['--check', path]);
  });
}

test('the integration guide has every step of the flow in every language it promises', () => {
  const inGuide = samples.filter(({ file }) => file === 'docs/integration.md');
  const languages = (step: string) =>
    inGuide.filter(({ run }) => run === step).map(({ language }) => language);
  assert.deepEqual(languages('create'), ['sh', 'ts', 'js', 'php', 'python']);
  assert.deepEqual(languages('webhook'), ['ts', 'js', 'php', 'python']);
  assert.deepEqual(languages('check'), ['sh', 'ts', 'js', 'php', 'python']);
  assert.deepEqual(languages('reconcile'), ['sh', 'ts', 'js', 'php', 'python']);
});

test('a pasted sample never returns an earlier order: none creates under a fixed id', () => {
  const creating = readSamples().flatMap(
    ({ code }) => code.match(/merchant_order_id["']?\s*(?:=>|:)[^\n]*/g) ?? [],
  );
  assert.ok(creating.length > 12);
  assert.deepEqual(
    creating.filter(line => /["'][\w-]+["'],?$/.test(line)),
    [],
  );
});
