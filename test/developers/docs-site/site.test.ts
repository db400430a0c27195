import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { searchEntries } from '../../../src/developers/docs-site/browser/search-entries.ts';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { renderMarkdown } from '../../../src/developers/docs-site/render-markdown.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import { openTestApi } from '../../support/api.ts';
import { prepare, use } from '../../support/use.ts';

const pages = new Map<string, string>();
const api = use(async () =>
  openTestApi({}, {}, async (app, world) => docsRoutes(app, world, { files: await buildDocs() })),
);
prepare(async () => {
  for (const [, path = ''] of [...(await menuOf('/docs')), ...(await menuOf('/docs/install'))]) {
    const response = await get(path);
    assert.equal(response.statusCode, 200, path);
    pages.set(path, response.body);
  }
});

const get = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers });

const menuOf = async (path: string) => (await get(path)).body.matchAll(/<li><a href="(\/docs[^"#]*)"/g);

test('every page of docs/ is served in a menu, except those for contributors', () => {
  const contributors = /^docs\/(?:internals|decisions)\//;
  const files = globSync('docs/**/*.md')
    .filter(file => !contributors.test(file))
    .map(file => `/${file.replace(/\.md$/, '')}`);
  const expected = [
    ...files.filter(path => path !== '/docs/README'),
    '/docs',
    '/docs/sdk',
    '/docs/agents',
    '/docs/api',
  ];
  assert.deepEqual([...pages.keys()].sort(), expected.sort());
});

test('owners and developers find the link to the operators’ pages, and none of those pages in their own menu', async () => {
  const paths = async (page: string) => [...(await menuOf(page))].map(([, path = '']) => path);
  const operators = (await paths('/docs/install')).filter(path => path !== '/docs');
  assert.ok(operators.includes('/docs/scaling') && !operators.includes('/docs/integration'));
  assert.deepEqual(
    operators.filter(path => pages.get('/docs')?.includes(`<li><a href="${path}"`)),
    ['/docs/install'],
  );
});

test('an owner’s screens link to no operators’ page, and to no missing heading', async () => {
  const operators = new Set([...(await menuOf('/docs/install'))].map(([, path = '']) => path));
  const screens = globSync('src/dashboard/**/*.ts').filter(file => !file.includes('/operator/'));
  const links = screens.flatMap(file => [
    ...readFileSync(file, 'utf8').matchAll(/"(\/docs\/[\w-]+)#?([\w-]*)"/g),
  ]);
  assert.ok(links.length > 2);
  for (const [, path = '', heading] of links) {
    assert.ok(!operators.has(path), path);
    if (heading) assert.match(pages.get(path)!, new RegExp(` id="${heading}"`));
  }
});

test('a page of contributors is not served', async () => {
  for (const page of ['internals/performance', 'reliability', 'internals/open-points', 'decisions/README'])
    assert.equal((await get(`/docs/${page}`)).statusCode, 404, page);
});

test('no link is dead: pages, anchors, files', async () => {
  const dead: string[] = [];
  for (const [path, body] of pages) {
    const ids = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(match => match[1]));
    for (const [, href = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(href)) continue;
      const [target = '', fragment] = href.split('#');
      const aimed = target === '' ? path : target;
      const page = pages.get(aimed) ?? ((await get(aimed)).statusCode === 200 ? '' : null);
      if (page === null || (fragment && !ids(page).has(fragment))) dead.push(`${path}: ${href}`);
    }
  }
  assert.deepEqual(dead, []);
});

test('every page has the logo as its icon, also the page for unknown addresses', async () => {
  for (const body of [...pages.values(), (await get('/docs/nope')).body]) {
    const icon = /<link rel="icon" href="([^"]+)"/.exec(body)?.[1] ?? '';
    assert.ok(body.includes(`<img src="${icon}"`));
    assert.match((await get(icon)).body, /^<svg /);
  }
});

test('a page names its language, and so do its frame and the links to it', async () => {
  const hindi = pages.get('/docs/for-owners-hi') ?? '';
  assert.match(hindi, /<html lang="hi">/);
  assert.match(hindi, /<header class="top" lang="en">[\s\S]*<nav class="menu" lang="en"/);
  assert.match(hindi, /<h2 id="कितना-ख़र्च-है">/);
  const english = pages.get('/docs/for-owners') ?? '';
  assert.match(english, /<html lang="en">/);
  assert.match(english, /<a href="\/docs\/for-owners-hi" lang="hi">दुकान मालिकों के लिए<\/a>/);
});

test('every link between Markdown files leads to a file, so that it works in the repository too', () => {
  const dead: string[] = [];
  for (const file of [...globSync(['*.md', 'docs/**/*.md']), 'sdk/README.md', 'examples/shop/README.md']) {
    for (const [, href = ''] of readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(href) || href === 'api') continue;
      if (!existsSync(posix.join(posix.dirname(file), href))) dead.push(`${file}: ${href}`);
    }
  }
  assert.deepEqual(dead, []);
});

test('pages load nothing inline and nothing from outside, under a policy that forbids both', async () => {
  for (const [path, body] of pages) {
    assert.doesNotMatch(body, /<script(?![^>]* src="\/docs\/files\/)|<style| style="| on\w+="/, path);
    assert.doesNotMatch(body, /(?:src|href)="https?:\/\/[^"]*\.(?:js|css|png|svg|woff2?)"/, path);
  }
  const { headers } = await get('/docs');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
});

test('script, style and search index are cached for ever under their hash, and found without one', async () => {
  for (const extension of ['js', 'css', 'json']) {
    const [path = ''] =
      new RegExp(`/docs/files/docs-\\w+\\.${extension}`).exec(pages.get('/docs') ?? '') ?? [];
    const response = await get(path);
    assert.equal(response.statusCode, 200, path);
    assert.match(String(response.headers['cache-control']), /immutable/);
    assert.equal((await get(path.replace(/-\w+\./, '-old.'))).headers['cache-control'], 'no-store');
  }
  assert.equal((await get('/docs/files/docs-x.exe')).statusCode, 404);
});

test('an unknown address gets a page that says so, and /docs/ redirects to /docs', async () => {
  const response = await get('/docs/nothing');
  assert.equal(response.statusCode, 404);
  assert.match(response.body, /No such page/);
  assert.equal((await get('/docs/..%2fpackage.json')).statusCode, 404);
  assert.deepEqual(
    [(await get('/docs/')).statusCode, (await get('/docs/')).headers['location']],
    [308, '/docs'],
  );
});

test('the search finds a page by its words, headings before text', async () => {
  const indexOf = async (page: string) => {
    const [path = ''] = /\/docs\/files\/docs-\w+\.json/.exec(pages.get(page) ?? '') ?? [];
    return (await get(path)).json();
  };
  assert.deepEqual(searchEntries(await indexOf('/docs'), 'pgbouncer'), []);
  const index = await indexOf('/docs/install');
  const first = (words: string) => searchEntries(index, words)[0]?.entry.url;
  assert.equal(first('pgbouncer'), '/docs/configure#pgbouncer');
  assert.equal(first('checklist'), '/docs/going-live');
  assert.match(first('plan_limit_reached') ?? '', /^\/docs\//);
  assert.deepEqual(searchEntries(index, 'zebra crossing'), []);
  assert.deepEqual(searchEntries(index, '  '), []);
  const urls = index.map(({ url }: { url: string }) => url);
  assert.equal(new Set(urls).size, urls.length);
});

test('the reference shows every operation, parameter, field and status of the OpenAPI document', async () => {
  const document = (await get('/api/v1/openapi.json')).json();
  const body = pages.get('/docs/api') ?? '';
  for (const [path, methods] of Object.entries<Record<string, Record<string, unknown>>>(document.paths)) {
    assert.ok(body.includes(`<code>${path}</code>`), path);
    for (const operation of Object.values(methods)) {
      assert.ok(body.includes(`id="${operation['operationId']}"`));
      for (const status of Object.keys(operation['responses'] as object))
        assert.ok(body.includes(`<code>${status}</code>`));
      for (const { name } of (operation['parameters'] as { name: string }[] | undefined) ?? [])
        assert.ok(body.includes(`<code>${name}</code>`), name);
    }
  }
  for (const schema of Object.values<{ properties: object }>(document.components.schemas))
    for (const field of Object.keys(schema.properties))
      assert.ok(body.includes(`<code>${field}</code>`), field);
  assert.ok(body.includes('<code>customer.email</code>'));
});

test('raw HTML and dangerous text in Markdown are shown as text', () => {
  const source =
    '# A <b>b</b>\n\n<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> `<i>`\n\n```html\n<script>\n```\n';
  const { body } = renderMarkdown(source, { baseUrl: 'https://pay.example.in', linkTo: () => null });
  assert.doesNotMatch(body.text, /<script|<img|<b>|<i>/);
  assert.match(body.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
});

test('{base_url} becomes the address of this installation', () => {
  assert.match(pages.get('/docs/quick-start') ?? '', /export MILAAN_URL=https:\/\/pay\.example\.in/);
  for (const [path, body] of pages) assert.doesNotMatch(body, /\{base_url\}/, path);
});

test('samples of one thing in several languages are in one group', () => {
  const [, group = ''] =
    /<div class="samples">([\s\S]*?)<\/div>/.exec(pages.get('/docs/integration') ?? '') ?? [];
  const names = [...group.matchAll(/data-name="([^"]*)"/g)].map(match => match[1]);
  assert.deepEqual(names, ['curl', 'TypeScript', 'JavaScript', 'PHP', 'Python']);
});
