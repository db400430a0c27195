import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, afterEach } from 'node:test';
import { type DeliveryRow, listDeliveries } from '../../src/outbox/webhooks/queries/deliveries.ts';
import { webhookRules } from '../../src/outbox/webhooks/webhook-rules.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from './test-world.ts';
import { type Answering, type Receiver, startReceiver } from './webhook-receiver.ts';
import { forgetWebhooks } from './webhook-world.ts';

/** A business whose events go to receivers of the test's own; after each test all of it is gone. */
export type WebhookStage = {
  world: TestWorld;
  merchantId: number;
  receiver(answering?: Answering): Promise<Receiver>;
  /** A server below HTTP, for answers that no HTTP library would give; returns its address. */
  rawReceiver(onData: (socket: Socket) => void): Promise<string>;
  lastFinished(): Promise<DeliveryRow>;
};

export async function webhookStage(): Promise<WebhookStage> {
  const world = await openTestWorld();
  const { merchantId } = await addTestMerchant(world);
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
    const [row] = await world.sql`select count(*)::int as count from orders`;
    // Without orders only the third check speaks; the others have tests of their own.
    assert.deepEqual([row?.['count'], await webhookRules[2]!.breaches(world.sql)], [0, []]);
    await forgetWebhooks(world.sql);
    await world.sql`delete from failing_destinations`;
  });
  after(() => world.stop());
  return {
    world,
    merchantId,
    async receiver(answering) {
      const started = await startReceiver(answering);
      open.push(started.stop);
      return started;
    },
    async rawReceiver(onData) {
      const sockets = new Set<Socket>();
      const server = createServer(socket => {
        sockets.add(socket);
        socket.on('error', () => {}).once('data', () => onData(socket));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      open.push(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`;
    },
    lastFinished: async () =>
      (await listDeliveries(world, merchantId)).deliveries.find(({ state }) => state !== 'waiting')!,
  };
}
