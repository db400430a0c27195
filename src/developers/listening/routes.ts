import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { limitCallers } from '../../base/http/limit-callers.ts';
import type { World } from '../../base/world.ts';
import { findCaller, presentedKey } from '../../business/merchants/find-caller.ts';
import { testEventType } from '../../outbox/webhooks/send-test-event.ts';
import { selectEvents } from './queries.ts';

const perPage = 100;
const eventId = /^evt_[0-9A-Za-z]{32}$/;

/** What `milaan listen` reads: a business's events, to be forwarded to a developer's own machine. */
export async function listeningRoutes(app: App, world: World): Promise<void> {
  // No customer's data goes to a laptop: of a live business only what was sent to try something out.
  const only = world.config.mode === 'live' ? testEventType : null;
  await app.register(async scope => {
    limitCallers(scope, world);
    scope.get('/listen/events', async (request, reply) => {
      const key = presentedKey(request);
      await findCaller(world, key);
      const { before = null } = request.query as { before?: unknown };
      if (before !== null && (typeof before !== 'string' || !eventId.test(before)))
        throw new ApiError('invalid_request', { fields: { details: 'before must be the id of an event' } });
      const asked = selectEvents(world.sql, key.merchantId, { only, before, limit: perPage + 1 });
      const found = await withDeadline(asked);
      void reply.header('cache-control', 'no-store');
      return { only, data: found.slice(0, perPage), has_more: found.length > perPage };
    });
  });
}
