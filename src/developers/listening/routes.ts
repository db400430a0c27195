import type { Queryable } from '../../base/database/connect.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { limitCallers } from '../../base/http/limit-callers.ts';
import type { World } from '../../base/world.ts';
import { findCaller, presentedKey } from '../../business/merchants/find-caller.ts';
import { testEventType } from '../../outbox/webhooks/send-test-event.ts';

const perPage = 100;
const eventId = /^evt_[0-9A-Za-z]{32}$/;

/** `milaan listen` reads a business's events here, to forward them to a developer's own machine. */
export async function listeningRoutes(app: App, world: World): Promise<void> {
  // No customer's data goes to a laptop: a live business sends only its test events.
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

/** Newest first, and only those older than `before` if it is given. Expired events are already deleted. */
function selectEvents(
  sql: Queryable,
  merchantId: number,
  { only, before, limit }: { only: string | null; before: string | null; limit: number },
) {
  return sql<{ event_id: string; type: string; order_id: string | null; body: string }[]>`
    select e.event_id, e.type, e.order_id, b.body
    from events e join event_bodies b
      on b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at
    where e.merchant_id = ${merchantId}
      ${only === null ? sql`` : sql`and e.type = ${only}`}
      ${
        before === null
          ? sql``
          : sql`and (e.created_at, e.event_id) < (select created_at, event_id from events
              where merchant_id = ${merchantId} and event_id = ${before})`
      }
    order by e.created_at desc, e.event_id desc limit ${limit}`;
}
