import { makeOpenapi } from './make-openapi.ts';

type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  example?: unknown;
  examples?: unknown[];
};
type Operation = {
  tags: string[];
  operationId: string;
  summary: string;
  description?: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
export type Document = {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The API, and the one call of the sandbox with which a newcomer pays the first order. */
export function wholeDocument(): Document {
  const document = makeOpenapi() as Document;
  return {
    ...document,
    tags: [
      ...document.tags.filter(({ name }) => name === 'Orders'),
      { name: 'Sandbox', description: 'A live installation answers 404. All calls: docs/sandbox.md.' },
    ],
    paths: { ...document.paths, '/sandbox/orders/{order_id}/pay': { post: sandboxPay } },
  };
}

const sandboxPay: Operation = {
  tags: ['Sandbox'],
  operationId: 'sandboxPay',
  summary: 'Play the customer and the bank: a signed alert mail, judged by the real pipeline',
  security: [],
  parameters: [{ name: 'order_id', in: 'path', required: true, schema: { type: 'string' } }],
  requestBody: {
    content: {
      'application/json': { schema: { properties: { how: { type: 'string', example: 'exact' } } } },
    },
  },
};

/** A newcomer's first request. */
const firstOrder: Record<string, unknown> = {
  amount: 499,
  merchant_order_id: 'order-{{$timestamp}}',
  success_url: 'https://shop.example.com/thanks',
  failure_url: 'https://shop.example.com/cart',
  webhook_url: 'https://shop.example.com/webhooks/upi',
};

/** The API as a collection (Postman v2.1, which Bruno and others import too): a folder a tag, a request an operation. */
export function makeCollection(document: Document): object {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return {
    info: {
      name: 'Milaan',
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key' },
        { key: 'value', value: '{{api_key}}' },
        { key: 'in', value: 'header' },
      ],
    },
    variable: [
      { key: 'base_url', value: '{base_url}' },
      { key: 'api_key', value: '' },
      { key: 'order_id', value: '' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => requestOf(document, path, method, operation)),
    })),
  };
}

function requestOf(document: Document, path: string, method: string, operation: Operation): object {
  const steps = path
    .slice(1)
    .split('/')
    .map(step => step.replace(/^\{(\w+)\}$/, ':$1'));
  const given = operation.parameters ?? [];
  const content = Object.entries(operation.requestBody?.content ?? {})[0];
  return {
    name: operation.operationId,
    request: {
      method,
      description: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
      url: {
        raw: `{{base_url}}/${steps.join('/')}`,
        host: ['{{base_url}}'],
        path: steps,
        variable: given
          .filter(one => one.in === 'path')
          .map(({ name }) => ({ key: name, value: name === 'order_id' ? '{{order_id}}' : '' })),
        query: given
          .filter(one => one.in === 'query')
          .map(({ name, description = '' }) => ({ key: name, value: '', description, disabled: true })),
      },
      ...(content && {
        header: [{ key: 'Content-Type', value: content[0] }],
        body: { mode: 'raw', raw: exampleText(document, content[0], content[1].schema) },
      }),
    },
  };
}

function exampleText(document: Document, type: string, schema: Schema): string {
  return type === 'application/json' ? JSON.stringify(exampleOf(document, schema), null, 2) : '';
}

/** The fields that must be there. */
function exampleOf(document: Document, given: Schema): unknown {
  const schema = given.$ref ? document.components.schemas[given.$ref.split('/').at(-1)!]! : given;
  if (schema.properties) {
    const fields = schema.required ?? Object.keys(schema.properties);
    return Object.fromEntries(
      fields.map(name => [name, firstOrder[name] ?? exampleOf(document, schema.properties![name]!)]),
    );
  }
  return (
    schema.example ??
    schema.examples?.[0] ??
    schema.enum?.[0] ??
    { number: 0, integer: 0, boolean: true }[schema.type ?? ''] ??
    ''
  );
}
