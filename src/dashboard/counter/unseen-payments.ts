import { isBlind } from '../../alerts/forwarding/forwarding-state.ts';
import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { linkButton } from '../frame/controls.ts';
import { icon } from '../frame/icon.ts';
import type { Visit } from '../frame/route.ts';
import { isOrderlessStopped } from './queries.ts';

/** Why payments cannot be seen: the server's own reasons, and those that only the device's script knows. */
const reasons = ['blind', 'full', 'lost', 'out'] as const;
type Unseen = (typeof reasons)[number];

export async function findUnseen(world: World, { merchantId, now }: Visit): Promise<Unseen | null> {
  const [blind, isFull] = await Promise.all([
    isBlind(world, merchantId),
    isOrderlessStopped(world.sql, merchantId, now),
  ]);
  return blind ? 'blind' : isFull ? 'full' : null;
}

/** One band for each reason, for counter and sound box. The script shows the one that is true. */
export function sightBands({ texts }: Visit, shown: Unseen | null, back: string, prefix = ''): Html {
  const { sight: words, box } = texts;
  return html`<div class="sight" role="alert">${reasons.map(
    when =>
      html`<div class="band bad" data-when="${when}"${when !== shown && html` hidden`}>${icon(when === 'lost' ? 'offline' : 'warning')}<p><b>${prefix}${words.titles[when]}</b><br><span class="small">${words.why[when]}</span></p>${when === 'out' && linkButton(back, box.signIn, { plain: true })}</div>`,
  )}</div>`;
}

/** In each answer for the script, which renews a part only if its text is new. */
export function sightFlag(unseen: Unseen | null): Html | null {
  return unseen && html`<span hidden data-blind="${unseen}">${unseen}</span>`;
}
