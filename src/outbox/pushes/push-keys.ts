import { createECDH } from 'node:crypto';
import type { Config } from '../../base/settings/config.ts';

/** How push services know this installation (VAPID): both halves, as browsers and the library want them. */
export type PushKeys = { publicKey: string; privateKey: string };

/** Null where the operator set none: then no device can be told anything, and none is offered. */
export function pushKeys({ pushKey }: Pick<Config, 'pushKey'>): PushKeys | null {
  if (pushKey === null) return null;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(pushKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: pushKey.toString('base64url') };
}
