import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Step } from '../../../src/alerts/mailboxes/watch-job.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { startDovecot } from '../../support/dovecot.ts';
import { needs } from '../../support/needs.ts';
import {
  connectTestMailbox,
  openMailWorld,
  plainMail,
  storedMails,
  watch,
} from '../../support/test-mailbox.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { ChildOrders } from './watcher-child.ts';

const { afterEach, prepare, test, use } = needs('Dovecot');

const steps: Step[] = [
  'connected',
  'listed',
  'examined',
  'searched',
  'senders fetched',
  'mails fetched',
  'mails stored, not committed',
  'mails committed',
  'position moved',
  'polled',
];

/** Those that only new mail leads to, so that the child reaches them after its first scan. */
const forwardSteps: Step[] = steps.slice(steps.indexOf('senders fetched'), steps.indexOf('polled'));

describe('a watcher that is killed', () => {
  const secretKey = randomBytes(32);
  const children = new Set<ChildProcess>();
  const world = use(openMailWorld);
  const dovecot = use(startDovecot);
  prepare(async () => {
    Object.assign(world, { secrets: secretBox([secretKey]) });
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });

  for (const [place, step] of steps.entries()) {
    test(`a watcher that dies at "${step}" loses and doubles no mail, and another process continues`, async () => {
      const { merchantId, user } = await connectTestMailbox(world, dovecot, {
        user: `kill${place}@test.example`,
      });
      for (let count = 0; count < 3; count++) await dovecot.deliver(user, plainMail());
      await dovecot.deliver(user, plainMail(), 'Junk');
      const child = await startChild(step);
      await child.said('standing still');
      await dovecot.deliver(user, plainMail());
      await child.kill();

      const watching = watch(world, dovecot);
      try {
        await waitFor('every mail', async () => (await storedMails(world, merchantId)) === 5);
        await dovecot.deliver(user, plainMail());
        await waitFor('one more', async () => (await storedMails(world, merchantId)) === 6);
      } finally {
        await watching.stop();
      }
      assert.equal(await storedMails(world, merchantId), 6);
      await world.sql`delete from mailboxes`;
    });
  }

  for (const [place, step] of forwardSteps.entries()) {
    test(`a watcher that dies at "${step}" while it reads new mail loses and doubles none`, async () => {
      const { merchantId, user } = await connectTestMailbox(world, dovecot, {
        user: `forward${place}@test.example`,
      });
      const child = await startChild(step);
      await waitFor('both folders read', async () => {
        const rows = await world.sql`select from mailbox_positions where merchant_id = ${merchantId}`;
        return rows.length === 2;
      });
      for (let count = 0; count < 3; count++) await dovecot.deliver(user, plainMail());
      await child.said('standing still');
      await child.kill();

      const watching = watch(world, dovecot);
      try {
        await waitFor('every mail', async () => (await storedMails(world, merchantId)) === 3);
      } finally {
        await watching.stop();
      }
      await world.sql`delete from mailboxes`;
    });
  }

  test('another process replaces a killed watcher as soon as its lease ends', async () => {
    const { merchantId, user } = await connectTestMailbox(world, dovecot, { user: 'other@test.example' });
    const child = await startChild(null);
    await dovecot.deliver(user, plainMail());
    await waitFor('the first mail', async () => (await storedMails(world, merchantId)) === 1);
    const owner = async () =>
      (
        await world.sql<{ holder: string }[]>`
        select holder from mailbox_leases where merchant_id = ${merchantId}`
      )[0]!.holder;
    // Read the owner while the child is alone: a watcher that stops for a second loses its lease to the other.
    const first = await owner();
    const watching = watch(world, dovecot);
    try {
      await child.kill();
      await dovecot.deliver(user, plainMail());
      await waitFor('the second mail', async () => (await storedMails(world, merchantId)) === 2);
      assert.notEqual(await owner(), first);
    } finally {
      await watching.stop();
    }
  });

  async function startChild(stopAt: Step | null) {
    const orders: ChildOrders = {
      databaseUrl: world.databaseUrl,
      secretKey: secretKey.toString('base64'),
      host: dovecot.host,
      ca: dovecot.ca,
      stopAt,
      nth: 1,
    };
    const script = fileURLToPath(new URL('./watcher-child.ts', import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    let output = '';
    child.stdout.on('data', text => {
      output += text;
    });
    const said = (line: string) => waitFor(`the child to say "${line}"`, () => output.includes(line));
    await said('watching');
    return {
      said,
      async kill() {
        const gone = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGKILL');
        await gone;
      },
    };
  }
});
