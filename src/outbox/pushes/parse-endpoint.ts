import type { DestinationRules } from '../../base/network/allow-list.ts';
import { type Host, parseWebhookUrl } from '../../base/network/parse-destination.ts';
import { isThisMachine } from '../../base/settings/config-values.ts';
import type { World } from '../../base/world.ts';

/**
 * Where a browser says that it takes pushes. Anybody with a login may have made the address up, so the rules of
 * webhooks hold (R11), without the operator's exceptions. Plain http is only for a push service on this machine, as in
 * the sandbox and in tests.
 */
export function parseEndpoint(text: string, rules: DestinationRules): { url: URL; host: Host } | null {
  const parsed = parseWebhookUrl(text, rules);
  if (!parsed.ok) return null;
  const { url, host } = parsed;
  const isOwn = rules.mode === 'sandbox' && isThisMachine(host.name);
  return url.protocol === 'https:' || isOwn ? { url, host } : null;
}

const none: readonly string[] = [];

/**
 * The same world without WEBHOOK_ALLOW. Its hosts are for shops' servers inside; no browser's push service stands there,
 * and a cashier, who can name no webhook, could make us call them.
 */
export function withoutExceptions<W extends Pick<World, 'config'>>(world: W): W {
  return { ...world, config: { ...world.config, webhookAllow: none } };
}
