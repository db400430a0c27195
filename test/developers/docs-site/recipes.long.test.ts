import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../../src/base/free-port.ts';
import { readSamples } from '../../support/doc-samples.ts';
import { needs } from '../../support/needs.ts';
import { newSampleProject } from '../../support/sample-project.ts';
import { assertHearsOfPayment, startShopProcess } from '../../support/shop-process.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';
import { prepare, use } from '../../support/use.ts';
import { openWholeService } from '../../support/whole-service.ts';

const recipes = readSamples().filter(({ file }) => file === 'docs/recipes.md');

function recipe(name: string): string {
  const found = recipes.find(one => one.recipe === name);
  assert.ok(found, `docs/recipes.md has no ${name}`);
  return found.code;
}

const service = use(openWholeService);
prepare(async () => {
  service.world.clock.set(new Date());
});
const project = use(newSampleProject);

/** Plays both addresses of a recipe that runs as `command`: an order is made, its refusal is passed on, a payment is heard of. */
async function plays(
  framework: string,
  command: (port: number) => string[],
  paths = { create: '/create-upi-order', webhook: '/webhooks/upi' },
): Promise<void> {
  const { apiKey, merchantId } = await addTestMerchant(service.world);
  for (const key of [apiKey, 'ml_test_nobody']) {
    const port = await freePort('127.0.0.1');
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: '/tmp',
      PYTHONDONTWRITEBYTECODE: '1',
      MILAAN_URL: service.url,
      MILAAN_API_KEY: key,
      MILAAN_WEBHOOK_SECRET: service.webhookSecret,
      PORT: String(port),
    };
    const shop = startShopProcess(command(port), { env, cwd: project.folder });
    const url = (path: string) => `http://127.0.0.1:${port}${path}`;
    try {
      await until(`${framework} listens`, () => fetch(url('/')).then(Boolean, () => false)).catch(error => {
        throw new Error(`${error.message}: ${shop.said()}`);
      });
      const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"amount":1}' };
      const answer = await fetch(url(paths.create), body);
      const text = await answer.text();
      assert.equal(answer.status, key === apiKey ? 201 : 401, `${text}\n${shop.said()}`);
      if (key !== apiKey) assert.equal(JSON.parse(text).error, 'invalid_api_key');
      else {
        await assertHearsOfPayment(service, shop, url(paths.webhook));
        // The next customer gets an order of their own.
        const next = (await (await fetch(url(paths.create), body)).json()) as { order_id: string };
        assert.notEqual(next.order_id, JSON.parse(text).order_id);
      }
    } finally {
      shop.stop();
    }
  }
  const rows = await service.world
    .sql`select merchant_order_id, amount_paise from orders where merchant_id = ${merchantId}`;
  assert.deepEqual(
    rows.map(row => [row['merchant_order_id'].split('-')[0], row['amount_paise']]),
    [
      [framework.toLowerCase(), 49_900],
      [framework.toLowerCase(), 49_900],
    ],
  );
}

needs('PHP', 'Laravel').test(
  'the Laravel recipe works with Laravel’s own router, facade, requests and responses',
  async () => {
    project.write('app/UpiController.php', recipe('laravel'));
    project.write('routes/api.php', recipe('laravel-routes'));
    // This does only what Laravel's own start does for these two files.
    const start = project.write(
      'laravel.php',
      `<?php
foreach (['Routing', 'Http', 'Events', 'Container', 'Support'] as $part) require_once "Illuminate/$part/autoload.php";
require_once __DIR__ . '/Milaan.php';
require_once __DIR__ . '/app/UpiController.php';
$app = new Illuminate\\Container\\Container();
Illuminate\\Support\\Facades\\Facade::setFacadeApplication($app);
$app->instance('router', $router = new Illuminate\\Routing\\Router(new Illuminate\\Events\\Dispatcher($app), $app));
$router->group(['prefix' => 'api'], __DIR__ . '/routes/api.php');
$request = Illuminate\\Http\\Request::capture();
$app->instance(Illuminate\\Http\\Request::class, $request);
try {
    $router->dispatch($request)->send();
} catch (Symfony\\Component\\HttpKernel\\Exception\\HttpException $refused) {
    http_response_code($refused->getStatusCode());
}
`,
    );
    // Deprecations of the framework's, which is older than the PHP, go to the log and not into answers.
    const quiet = ['-d', 'display_errors=0', '-d', 'log_errors=1', '-d', 'error_reporting=8191'];
    await plays('Laravel', port => ['php', ...quiet, '-S', `127.0.0.1:${port}`, start], {
      create: '/api/create-upi-order',
      webhook: '/api/webhooks/upi',
    });
  },
);

needs('Python', 'Django').test(
  'the Django recipe works in Django, behind its protection against forged requests',
  async () => {
    project.write('shop/__init__.py', '');
    project.write('shop/views.py', recipe('django'));
    project.write('shop/urls.py', recipe('django-urls'));
    const start = project.write(
      'serve_django.py',
      `import os
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

settings.configure(ROOT_URLCONF="shop.urls", ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY="only here",
                   MIDDLEWARE=["django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware"])
django.setup()
make_server("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application()).serve_forever()
`,
    );
    await plays('Django', () => ['/usr/bin/python3', start]);
  },
);

test('the Next.js recipe works as functions of Request and Response; Next.js itself was NOT run', async () => {
  const [create, webhook] = ['next-create', 'next-webhook'].map(
    name => pathToFileURL(project.write(`app/${name}/route.ts`, recipe(name))).href,
  );
  const start = project.write(
    'next.ts',
    `import { createServer } from 'node:http';
import { Readable } from 'node:stream';
const routes = { '/create-upi-order': await import(${JSON.stringify(create)}), '/webhooks/upi': await import(${JSON.stringify(webhook)}) };
createServer(async (request, response) => {
  const route = routes[request.url];
  if (!route) return response.writeHead(404).end();
  const asked = new Request('http://shop' + request.url, { method: 'POST', headers: request.headers, body: Readable.toWeb(request), duplex: 'half' });
  const answer = await route.POST(asked);
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
}).listen(process.env.PORT);
`,
  );
  await plays('Next', () => [process.execPath, start]);
});

test('every recipe of the page is tested here', () => {
  assert.deepEqual(recipes.map(({ recipe }) => recipe).sort(), [
    'django',
    'django-urls',
    'laravel',
    'laravel-routes',
    'next-create',
    'next-webhook',
    'one-file',
  ]);
});
