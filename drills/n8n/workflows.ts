const credentials = { milaanApi: { id: 'drillMilaan', name: 'Milaan' } };
/** n8n's address for a trigger is made of this. */
const webhookId = '6d1f0c3a-5b7e-4c55-9a3e-0d1111111111';
export const triggerPath = `/webhook/${webhookId}/webhook`;

type Node = { name: string; type: string; parameters: Record<string, unknown>; [more: string]: unknown };

function workflow(id: string, ...nodes: Node[]) {
  const chain = nodes
    .slice(1)
    .map((node, at) => [nodes[at]!.name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }]);
  return {
    id,
    name: id,
    active: false,
    nodes: nodes.map((node, at) => ({ id: `${id}-${at}`, typeVersion: 1, position: [at * 200, 0], ...node })),
    connections: Object.fromEntries(chain),
    settings: { executionOrder: 'v1' },
  };
}

const door = (path: string): Node => ({
  name: 'Door',
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2,
  webhookId: path,
  parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
});

const milaan = (parameters: Record<string, unknown>): Node => ({
  name: 'Milaan',
  type: 'n8n-nodes-milaan.milaan',
  credentials,
  parameters: { resource: 'order', ...parameters },
});

/** A shop of four workflows: one sells, two look, and one hears of payments and tells the drill. */
export function workflows(n8nUrl: string, hearsUrl: string) {
  return [
    workflow(
      'drillSell',
      door('sell'),
      milaan({
        operation: 'create',
        amount: '={{ $json.body.amount }}',
        merchantOrderId: '={{ $json.body.id }}',
        successUrl: 'https://shop.example.com/thanks',
        failureUrl: 'https://shop.example.com/cart',
        webhookUrl: n8nUrl + triggerPath,
        additionalFields: { customerName: 'Asha Rao', customerEmail: 'asha@customer.example' },
      }),
    ),
    workflow('drillLook', door('look'), milaan({ operation: 'get', orderId: '={{ $json.body.order_id }}' })),
    workflow(
      'drillList',
      door('list'),
      milaan({ operation: 'getAll', limit: 3, filters: { status: 'paid' } }),
    ),
    workflow(
      'drillHear',
      {
        name: 'Milaan Trigger',
        type: 'n8n-nodes-milaan.milaanTrigger',
        webhookId,
        credentials,
        parameters: { events: ['payment.paid'] },
      },
      {
        name: 'Tell',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        parameters: {
          method: 'POST',
          url: hearsUrl,
          sendBody: true,
          specifyBody: 'json',
          jsonBody: '={{ JSON.stringify($json) }}',
        },
      },
    ),
  ];
}

export const ids = ['drillSell', 'drillLook', 'drillList', 'drillHear'];

export function milaanCredentials(data: { baseUrl: string; apiKey: string; webhookSecret: string }) {
  return [{ ...credentials.milaanApi, type: 'milaanApi', data }];
}
