import { randomBase62 } from '../../base/random.ts';
import { StartError } from '../../base/start-error.ts';
import { scenarioNames } from '../../sandbox/scenarios.ts';
import type { Command } from '../command.ts';
import { openService, type Service, Unreachable } from './open-service.ts';

type Verdict = { verdict: string; reason: string };

export const triggerCommand: Command = {
  needs: 'environment',
  summary: 'play the customer and the bank in a sandbox: 0 as it should be, 3 otherwise, 2 nobody answers',
  positionals: { way: ['paid', ...scenarioNames].join(', ') },
  options: {
    order: { meaning: 'an existing order; otherwise a new one is created' },
    amount: { meaning: "the new order's rupees; 499 if left out" },
    'webhook-url': { meaning: "where the new order's webhooks go; the demo shop if left out" },
    url: { meaning: 'the installation, with its key in MILAAN_API_KEY; else the sandbox in .milaan' },
    json: { meaning: 'the answer as JSON', flag: true },
  },
  async run(options, env) {
    const how = options['way'] === 'paid' ? 'exact' : (options['way'] ?? '');
    try {
      const service = openService(options['url'], env);
      if (service.find().api_key?.startsWith('ml_live_'))
        throw new StartError('this is the key of a live business: only a sandbox has a bank that plays');
      // Ask for the scenarios first, so that no order is created if there is no sandbox.
      const { data } = await service.ask<{ data: { how: string; pays: boolean }[] }>('/sandbox/scenarios');
      const scenario = data.find(one => one.how === how);
      if (!scenario) {
        const known = ['paid', ...data.map(one => one.how)].join(', ');
        throw new StartError(`there is no way "${how}": the sandbox has ${known}`);
      }
      const order = options['order'] ?? (await createOrder(service, options));
      const path = `/sandbox/orders/${encodeURIComponent(order)}/pay`;
      const played = await service.ask<Verdict & { verdicts: Verdict[] }>(path, { how });
      const isPaid = played.verdicts.some(one => one.verdict === 'paid');
      if (options['json'] !== undefined) console.log(JSON.stringify({ how, ...played, order_id: order }));
      else for (const { verdict, reason } of played.verdicts) console.log(`${order}  ${verdict}: ${reason}`);
      return isPaid === scenario.pays ? 0 : 3;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      console.error(`milaan: ${error.message}`);
      return 2;
    }
  },
};

async function createOrder({ find, ask }: Service, options: Record<string, string>): Promise<string> {
  const { base_url: baseUrl, shop_url: shop } = find();
  const webhookUrl = options['webhook-url'] ?? (shop ? `${shop}/webhooks/upi` : undefined);
  if (webhookUrl === undefined)
    throw new StartError('give --webhook-url for a new order, or --order for an existing one');
  const { order_id: orderId } = await ask<{ order_id: string }>('/api/v1/orders', {
    amount: Number(options['amount'] ?? 499),
    merchant_order_id: `trigger-${randomBase62(12)}`,
    success_url: `${baseUrl}/`,
    failure_url: `${baseUrl}/`,
    webhook_url: webhookUrl,
  });
  return orderId;
}
