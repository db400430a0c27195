import { checkDestination } from '../../../network/check-destination.ts';
import { because, type Reason } from '../../../verdicts.ts';
import { optionalEventTypes } from '../../../webhooks/record-optional-event.ts';
import type { World } from '../../../world.ts';
import { updateEventSettings } from '../../queries/settings.ts';
import { recordChange } from '../../record-change.ts';
import type { Visit } from '../../route.ts';

/** Keeps which events a business wants, and where those go that belong to no order. Null once it is kept. */
export async function saveEvents(world: World, visit: Visit): Promise<Reason | null> {
  const { merchantId, form } = visit;
  const wanted = optionalEventTypes.filter(event => form.all('event').includes(event));
  const url = form.text('webhook_url');
  if (url === '' && wanted.includes('payment.unmatched')) return because('events_need_address');
  if (url !== '') {
    const checked = await checkDestination(world, url);
    if (!checked.ok) return checked.reason;
  }
  await world.sql.begin(async tx => {
    await updateEventSettings(tx, merchantId, {
      webhook_url: url === '' ? null : url,
      wanted_events: wanted,
    });
    const events = wanted.join(', ') || '–';
    await recordChange(tx, visit, {
      action: 'webhook.events',
      subject: url || '–',
      details: events,
      notice: because('events_chosen', { address: url || '–', events }),
    });
  });
  return null;
}
