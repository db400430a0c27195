import { type Html, html } from '../../base/http/html.ts';
import { codeBlock, type Heading, tableHtml } from './render-markdown.ts';

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema };
type Media = Record<string, { schema?: Schema; examples?: Record<string, { value?: unknown }> }>;
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { description?: string; content?: Media };
  responses?: Record<string, { description?: string; content?: Media }>;
};
export type OpenApi = {
  info?: { description?: string };
  servers?: { url: string }[];
  security?: unknown[];
  paths?: Record<string, Record<string, Operation>>;
  /** Calls of the service to a shop, by the type of their event. */
  webhooks?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

export function renderReference(document: OpenApi): { title: string; body: Html; headings: Heading[] } {
  const operations = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      id: idOf(operation, method, path),
    })),
  );
  const schemas = Object.entries(document.components?.schemas ?? {});
  const body = html`<h1>API reference</h1>
<p>${document.info?.description ?? ''}</p>
<p>The address of this installation is <code>${document.servers?.[0]?.url ?? ''}</code>. Requests carry the key in <code>X-API-Key</code>, bodies are JSON, amounts are rupees, times are ISO 8601 in UTC. The same as a machine reads it: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
${operations.map(placed => operationHtml(placed, document))}
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => html`<h3 id="${schemaId(name)}">${name}</h3>${schema.description && html`<p>${schema.description}</p>`}${fieldsTable(schema)}`)}`;
  const headings: Heading[] = [
    ...operations.map(({ operation, id, method, path }) => ({
      level: 2,
      id,
      text: operation.summary ?? `${method.toUpperCase()} ${path}`,
    })),
    { level: 2, id: 'schemas', text: 'Schemas' },
    ...schemas.map(([name]) => ({ level: 3, id: schemaId(name), text: name })),
  ];
  return { title: 'API reference', body, headings };
}

type Placed = { path: string; method: string; operation: Operation; id: string };

function operationHtml({ path, method, operation, id }: Placed, document: OpenApi): Html {
  const { tags, summary, description, parameters = [], requestBody, responses = {} } = operation;
  const isOurs = path.startsWith('/');
  const isOpen = isOurs && (operation.security ?? document.security ?? []).length === 0;
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  return html`<section class="operation">${tags?.[0] !== undefined && html`<p class="eyebrow">${tags[0]}</p>`}<h2 id="${id}">${summary ?? path} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h2>
<p class="address"><b class="method ${method}">${method.toUpperCase()}</b> <code>${isOurs ? path : `your webhook_url, type ${path}`}</code>${isOpen && html` <span class="quiet">no key needed</span>`}</p>
${description && html`<p>${description}</p>`}
${parameters.length > 0 && parametersTable(parameters)}
${requestBody && html`<h3>Body</h3>${requestBody.description && html`<p>${requestBody.description}</p>`}${mediaHtml(requestBody.content, document, true)}${exampleHtml(requestBody.content)}`}
<h3>Answers</h3>
${exampleHtml(good)}
${tableHtml(
  ['status', 'meaning', 'body'],
  Object.entries(responses).map(([status, response]) => [
    html`<code>${status}</code>`,
    proseHtml(response.description ?? ''),
    mediaHtml(response.content, document, false),
  ]),
)}</section>`;
}

function exampleHtml(content: Media | undefined): Html | null {
  const [example] = Object.values(Object.values(content ?? {})[0]?.examples ?? {});
  return example ? codeBlock(JSON.stringify(example.value, null, 2), 'json') : null;
}

/** Paragraphs, with what is between backticks as code. */
function proseHtml(text: string): Html {
  const paragraphs = text.split('\n\n').map(one => one.split('`'));
  return html`${paragraphs.map(parts => html`<p>${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`)}`;
}

function parametersTable(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(one => [
    html`<code>${one.name}</code>${one.required && html` <span class="must">required</span>`}`,
    one.in,
    html`${schemaWords(one.schema ?? {})}${one.description && html`. ${one.description}`}`,
  ]);
  return html`<h3>Parameters</h3>${tableHtml(['name', 'in', 'value'], rows)}`;
}

/** A request shows the fields themselves, an answer the schema's name. */
function mediaHtml(content: Media | undefined, document: OpenApi, withFields: boolean): Html | null {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (!type) return null;
  const name = /^#\/components\/schemas\/(\w+)$/.exec(media?.schema?.$ref ?? '')?.[1];
  if (!withFields) return name ? html`<a href="#${schemaId(name)}">${name}</a>` : html`${type}`;
  const schema = name ? document.components?.schemas?.[name] : media?.schema;
  return html`${type !== 'application/json' && html`<p>As <code>${type}</code>.</p>`}${schema && fieldsTable(schema)}`;
}

function idOf({ operationId }: Operation, method: string, path: string): string {
  return operationId ?? `${method}-${path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}`;
}

function schemaId(name: string): string {
  return `schema-${name}`;
}

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  format?: string;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

/** An object's fields, one row each; fields of nested objects follow with a dotted name. */
function fieldsTable(schema: Schema): Html {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return html`<p>${schemaWords(schema)}</p>`;
  return tableHtml(
    ['field', 'value', 'meaning'],
    rows.map(({ name, field, isRequired }) => [
      html`<code>${name}</code>${isRequired && html` <span class="must">required</span>`}`,
      schemaWords(field),
      describe(field),
    ]),
  );
}

function rowsOf(schema: Schema, prefix: string): { name: string; field: Schema; isRequired: boolean }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = [field, ...(field.anyOf ?? [])].find(one => one.properties);
    return [
      { name: prefix + name, field, isRequired: schema.required?.includes(name) ?? false },
      ...(inner ? rowsOf(inner, `${prefix}${name}.`) : []),
    ];
  });
}

function describe(field: Schema): string {
  return (
    field.description ??
    field.anyOf
      ?.map(one => one.description ?? '')
      .join(' ')
      .trim() ??
    ''
  );
}

/** A schema in words: "number, more than 0, at most 1000000". */
function schemaWords(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(schemaWords).join(' or ');
  const ref = /\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
  const words = [ref ?? kindOf(schema)];
  if (schema.exclusiveMinimum !== undefined) words.push(`more than ${schema.exclusiveMinimum}`);
  if (schema.minimum !== undefined) words.push(`at least ${schema.minimum}`);
  if (schema.maximum !== undefined) words.push(`at most ${schema.maximum}`);
  if (schema.minLength === 1) words.push('not empty');
  else if (schema.minLength !== undefined) words.push(`at least ${schema.minLength} characters`);
  if (schema.maxLength !== undefined) words.push(`at most ${schema.maxLength} characters`);
  if (schema.default !== undefined) words.push(`${String(schema.default)} when left out`);
  return words.join(', ');
}

function kindOf(schema: Schema): string {
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.type === 'array') return `list of ${schemaWords(schema.items ?? {})}`;
  if (schema.type === 'integer') return 'whole number';
  const types = [schema.type ?? 'anything'].flat();
  return types.map(type => (schema.format === 'date-time' && type === 'string' ? 'time' : type)).join(' or ');
}
