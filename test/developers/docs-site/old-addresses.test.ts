import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDocs } from '../../../src/developers/docs-site/build-docs.ts';
import { docsRoutes } from '../../../src/developers/docs-site/routes.ts';
import { openTestApi } from '../../support/api.ts';
import { use } from '../../support/use.ts';

/** Every address that 0.2.0 served below /docs. Bookmarks, mails, plugins and alarm rules name them. */
const served =
  `accounts adding-a-bank agents alarms api app banks breach cells chats citus clients connect dashboard
  errors for-owners for-owners-hi forwarding from-source glossary going-live high-availability integration laptop
  licences limits mail-in mailboxes medusa money moving n8n neighbours open-points operating payment-did-not-arrive
  payment-page plans privacy quick-start react recipes running-a-platform sandbox scaling sdk shops sound-box
  taking-payments webhooks what-is-kept whmcs widget woocommerce`.split(/\s+/);
/** Every alarm whose rule in 0.2.0 named a page of its own. */
const alarms =
  `AlertsRetrying AlertsWaiting BackupOld ClockSet ClockWrong Down Forged ForwardingsSilent HistoryOverdue
  KeyChanged KeysDoubted LoginRefused MailLate MailOut MailUnfetchable MailboxesBlind NewLines NotReady PushesFail
  RoutineFailed Slow UnlistedDomain Unreadable VerifyOld WebhooksLate WebhooksNotSigned`.split(/\s+/);

const api = use(async () =>
  openTestApi({}, {}, async (app, world) => docsRoutes(app, world, { files: await buildDocs() })),
);
const get = (url: string) => api.app.inject({ url });

/** The address and heading to which an old address leads; both are checked to exist. */
async function follow(path: string): Promise<string> {
  const first = await get(path);
  if (first.statusCode === 200) return path;
  assert.equal(first.statusCode, 308, path);
  const location = String(first.headers['location']);
  const [page = '', heading] = location.split('#');
  const second = await get(page);
  assert.equal(second.statusCode, 200, `${path} leads to ${location}`);
  if (heading && !page.endsWith('.md'))
    assert.ok(
      second.body.includes(` id="${heading}"`),
      `${path} leads to ${location}, which has no such heading`,
    );
  return location;
}

test('every address of the previous release still leads to its text, as a page and as plain text', async () => {
  for (const name of served) {
    const location = await follow(`/docs/${name}`);
    if (name === 'api') continue;
    assert.equal((await follow(`/docs/${name}.md`)).split('#')[0], `${location.split('#')[0]}.md`);
  }
  assert.equal(await follow('/docs/forwarding'), '/docs/mailboxes#forwarding');
});

test('an alarm’s old page leads to its heading, whatever the alarm', async () => {
  for (const name of alarms) {
    assert.equal(await follow(`/docs/alarms/Milaan${name}`), `/docs/alarms#milaan${name.toLowerCase()}`);
    assert.equal(
      await follow(`/docs/alarms/Milaan${name}.md`),
      `/docs/alarms.md#milaan${name.toLowerCase()}`,
    );
  }
});

test('a name that was never a page or an alarm is not found', async () => {
  for (const path of [
    'alarms/MilaanNothing',
    'alarms/',
    'alarms/Alarms',
    'toString',
    '__proto__.md',
    'breach/',
    'n8n.md.md',
  ])
    assert.equal((await get(`/docs/${path}`)).statusCode, 404, path);
});
