import { readFileSync } from 'node:fs';
import { ApiError, bodyOf, type RefusalCode, refusalStatus } from '../src/base/http/api-error.ts';
import { exampleUrl } from './api-examples.ts';

const everywhere: RefusalCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'merchant_disabled',
  'rate_limited',
  'request_timeout',
  'headers_too_large',
  'service_unavailable',
];

const withPause: readonly RefusalCode[] = ['rate_limited', 'all_payment_slots_busy', 'service_unavailable'];
const errorsPage = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');

/** One entry per status, with an example of each code. docs/errors.md says when each comes and what to do. */
export function refusals(own: { [code in RefusalCode]?: Record<string, unknown> }): Record<number, object> {
  const codes = [...new Set([...(Object.keys(own) as RefusalCode[]), ...everywhere])];
  const entries = [...Map.groupBy(codes, refusalStatus)].map(([status, grouped]) => {
    const advice = grouped.map(code => `\`${code}\`: ${adviceOf(code)}`);
    const examples = grouped.map(code => [code, { summary: code, value: exampleRefusal(code, own[code]) }]);
    const pauses = grouped.some(code => withPause.includes(code));
    return [
      status,
      answer(
        advice.join('\n\n'),
        'Error',
        Object.fromEntries(examples),
        pauses ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {},
      ),
    ];
  });
  return Object.fromEntries(entries);
}

function exampleRefusal(code: RefusalCode, fields: Record<string, unknown> = {}): object {
  return bodyOf(new ApiError(code, { fields }), exampleUrl);
}

/** The paragraph of a code, without its status and with the text of links only. */
function adviceOf(code: RefusalCode): string {
  const [, paragraph] = new RegExp(`^### \`${code}\`\n\nStatus \\d{3}\\. (.+)$`, 'm').exec(errorsPage) ?? [];
  if (paragraph === undefined) throw new Error(`docs/errors.md has no section for ${code}`);
  return paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('{base_url}', exampleUrl);
}

type Examples = Record<string, { summary: string; description?: string; value: unknown }>;

export function ref(schema: string): object {
  return { $ref: `#/components/schemas/${schema}` };
}

export function answer(
  description: string,
  schema: string,
  examples: Examples,
  headers: object = {},
): object {
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers },
    content: { 'application/json': { schema: ref(schema), examples } },
  };
}

export function parameter(name: string, schema: object, description: string, example?: unknown): object {
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema,
    ...(example !== undefined && { example }),
  };
}
