import {
  type IDataObject,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { verifyWebhook } from './verify-webhook';

export class MilaanTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Milaan Trigger',
    name: 'milaanTrigger',
    icon: { light: 'file:../../icons/milaan.svg', dark: 'file:../../icons/milaan.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when a payment is confirmed. Every event is verified by its signature.',
    defaults: { name: 'Milaan Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'milaanApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName:
          'Copy the production URL above into the field "Webhook URL" of the node that creates the orders. Milaan announces each order there.',
        name: 'howTo',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: [
          {
            name: 'Payment Paid',
            value: 'payment.paid',
            description: 'An order is paid: the only event that means so',
          },
          {
            name: 'Payment Review',
            value: 'payment.review',
            description:
              'Money came that a person has to look at. Not paid. Off in Milaan unless switched on there.',
          },
          {
            name: 'Payment Unmatched',
            value: 'payment.unmatched',
            description: 'Money came that belongs to no order. Off in Milaan unless switched on there.',
          },
          {
            name: 'Webhook Test',
            value: 'webhook.test',
            description: "The test that Milaan's Webhooks screen sends",
          },
        ],
        default: ['payment.paid'],
        required: true,
      },
    ],
  };

  /** There is nothing to register: each order names its webhook address. */
  webhookMethods = {
    default: { checkExists: async () => true, create: async () => true, delete: async () => true },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    const { webhookSecret } = await this.getCredentials<{ webhookSecret?: string }>('milaanApi');
    // The signature covers the exact bytes; JSON that was parsed and written again differs.
    if (!request.rawBody) await request.readRawBody();
    const verified = verifyWebhook(request.rawBody, request.headers, webhookSecret ?? '', new Date());
    if ('refused' in verified) {
      this.logger.warn(`Milaan Trigger refused an event: ${verified.refused}`);
      this.getResponseObject().status(400).json({ error: verified.refused });
      return { noWebhookResponse: true };
    }
    const { event } = verified;
    const wanted = this.getNodeParameter('events', []) as string[];
    // Any 2xx, because an event that this workflow ignores must not be sent again.
    if (!wanted.includes(event.type)) return { webhookResponse: { ignored: event.type } };
    return {
      webhookResponse: { received: event.id },
      workflowData: [this.helpers.returnJsonArray({ ...event } as unknown as IDataObject)],
    };
  }
}
