const credentials = { milaanApi: { id: 'drillMilaan', name: 'Milaan' } };
/** n8n's address for a trigger is made of this. */
const webhookId = '6d1f0c3a-5b7e-4c55-9a3e-0d1111111111';
export const triggerPath = `/webhook/${webhookId}/webhook`;

type Node = { name: string; type: string; parameters: Record<string, unknown>; [more: string]: unknown };

export const workflowId = 'drillShop';

const webhookNode = (path: string): Node => ({
  name: `Door ${path}`,
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2,
  webhookId: path,
  parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
});

const milaan = (name: string, parameters: Record<string, unknown>): Node => ({
  name,
  type: 'n8n-nodes-milaan.milaan',
  credentials,
  parameters: { resource: 'order', ...parameters },
});

/** A shop in one workflow: separate webhooks sell, read and list orders, and payments are posted to the drill. */
export function shop(n8nUrl: string, hearsUrl: string) {
  const chains: [Node, Node][] = [
    [
      webhookNode('sell'),
      milaan('Create', {
        operation: 'create',
        amount: '={{ $json.body.amount }}',
        merchantOrderId: '={{ $json.body.id }}',
        successUrl: 'https://shop.example.com/thanks',
        failureUrl: 'https://shop.example.com/cart',
        webhookUrl: n8nUrl + triggerPath,
        additionalFields: { customerName: 'Asha Rao', customerEmail: 'asha@customer.example' },
      }),
    ],
    [webhookNode('look'), milaan('Get', { operation: 'get', orderId: '={{ $json.body.order_id }}' })],
    [webhookNode('list'), milaan('List', { operation: 'getAll', limit: 3, filters: { status: 'paid' } })],
    [
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
    ],
  ];
  const nodes = chains.flat();
  return {
    id: workflowId,
    name: 'Shop',
    active: false,
    nodes: nodes.map((node, at) => ({ id: `node-${at}`, typeVersion: 1, position: [at * 200, 0], ...node })),
    connections: Object.fromEntries(
      chains.map(([from, to]) => [from.name, { main: [[{ node: to.name, type: 'main', index: 0 }]] }]),
    ),
    settings: { executionOrder: 'v1' },
  };
}

export function milaanCredentials(data: { baseUrl: string; apiKey: string; webhookSecret: string }) {
  return [{ ...credentials.milaanApi, type: 'milaanApi', data }];
}
