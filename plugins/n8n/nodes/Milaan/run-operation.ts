import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { callApi } from './call-api';

const mostPerPage = 100;

/** Runs one input item's operation. */
export async function runOperation(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const text = (name: string) => String(context.getNodeParameter(name, item, '')).trim();
  switch (context.getNodeParameter('operation', item)) {
    case 'create':
      return [
        await callApi(context, { method: 'POST', path: '', body: newOrder(context, item, text) }, item),
      ];
    case 'get':
      // An empty id would request the list.
      return [
        await callApi(
          context,
          { method: 'GET', path: `/${encodeURIComponent(text('orderId') || '-')}` },
          item,
        ),
      ];
    default:
      return await listed(context, item);
  }
}

function newOrder(context: IExecuteFunctions, item: number, text: (name: string) => string): IDataObject {
  const more = context.getNodeParameter('additionalFields', item, {}) as Record<string, string>;
  const customer = {
    ...(more['customerEmail'] && { email: more['customerEmail'] }),
    ...(more['customerName'] && { name: more['customerName'] }),
  };
  return {
    amount: context.getNodeParameter('amount', item) as number,
    merchant_order_id: text('merchantOrderId'),
    success_url: text('successUrl'),
    failure_url: text('failureUrl'),
    webhook_url: text('webhookUrl'),
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(more['paymentAccountId'] && { payment_account_id: more['paymentAccountId'] }),
  };
}

async function listed(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const isAll = context.getNodeParameter('returnAll', item, false) as boolean;
  const limit = isAll ? Number.POSITIVE_INFINITY : (context.getNodeParameter('limit', item, 50) as number);
  const { status, merchantOrderId } = context.getNodeParameter('filters', item, {}) as Record<string, string>;
  const orders: IDataObject[] = [];
  let cursor: unknown;
  do {
    const qs = {
      limit: Math.min(mostPerPage, limit - orders.length),
      ...(status && { status }),
      ...(merchantOrderId && { merchant_order_id: merchantOrderId }),
      ...(typeof cursor === 'string' && { cursor }),
    };
    const page = await callApi(context, { method: 'GET', path: '', qs }, item);
    orders.push(...(page['data'] as IDataObject[]));
    cursor = page['has_more'] ? page['next_cursor'] : null;
  } while (typeof cursor === 'string' && orders.length < limit);
  return orders;
}
