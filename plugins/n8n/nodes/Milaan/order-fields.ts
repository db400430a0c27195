import type { INodeProperties } from 'n8n-workflow';

const when = (...operation: string[]) => ({ show: { resource: ['order'], operation } });

const address = (displayName: string, name: string, description: string): INodeProperties => ({
  displayName,
  name,
  type: 'string',
  default: '',
  required: true,
  placeholder: 'https://shop.example.com/…',
  description,
  displayOptions: when('create'),
});

export const orderFields: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: [{ name: 'Order', value: 'order' }],
    default: 'order',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['order'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create an order',
        description:
          'Make a payment link. The same order ID again returns the same order, never a second one.',
      },
      { name: 'Get', value: 'get', action: 'Get an order', description: 'Read one order by its ID' },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many orders',
        description: 'List orders, the newest first',
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Amount',
    name: 'amount',
    type: 'number',
    typeOptions: { minValue: 0.01, maxValue: 1000000, numberPrecision: 2 },
    default: 0,
    required: true,
    description:
      'Rupees. Milaan adds a few paise by which it tells payments apart: show customers payable_amount.',
    displayOptions: when('create'),
  },
  {
    displayName: 'Your Order ID',
    name: 'merchantOrderId',
    type: 'string',
    default: '',
    required: true,
    description: 'Your own ID of this try to pay, 1 to 120 characters',
    displayOptions: when('create'),
  },
  address('Success URL', 'successUrl', 'Where the customer returns after payment'),
  address('Failure URL', 'failureUrl', 'Where the customer returns after an expired or failed payment'),
  address('Webhook URL', 'webhookUrl', 'The production URL of a Milaan Trigger, which hears of the payment'),
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: when('create'),
    options: [
      {
        displayName: 'Customer Email',
        name: 'customerEmail',
        type: 'string',
        placeholder: 'name@email.com',
        default: '',
      },
      { displayName: 'Customer Name', name: 'customerName', type: 'string', default: '' },
      {
        displayName: 'UPI Account ID',
        name: 'paymentAccountId',
        type: 'string',
        default: '',
        description: 'One of your UPI accounts; the default account when left out',
      },
    ],
  },
  {
    displayName: 'Order ID',
    name: 'orderId',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'ML-0123456789',
    displayOptions: when('get'),
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: when('getAll'),
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...when('getAll').show, returnAll: [false] } },
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: when('getAll'),
    options: [
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: [
          { name: 'Expired', value: 'expired' },
          { name: 'Failed', value: 'failed' },
          { name: 'Manual Review', value: 'manual_review' },
          { name: 'Paid', value: 'paid' },
          { name: 'Pending', value: 'pending' },
        ],
        default: 'paid',
      },
      { displayName: 'Your Order ID', name: 'merchantOrderId', type: 'string', default: '' },
    ],
  },
];
