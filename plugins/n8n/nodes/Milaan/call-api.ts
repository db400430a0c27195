import {
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestMethods,
  type IN8nHttpFullResponse,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';

type Call = { method: IHttpRequestMethods; path: string; body?: IDataObject; qs?: IDataObject };

/** Calls Milaan's API. A refusal keeps Milaan's message and code. */
export async function callApi(
  context: IExecuteFunctions,
  { path, ...call }: Call,
  itemIndex: number,
): Promise<IDataObject> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('milaanApi');
  const answer = (await context.helpers.httpRequestWithAuthentication.call(context, 'milaanApi', {
    ...call,
    url: `${baseUrl.trim().replace(/\/+$/, '')}/api/v1/orders${path}`,
    json: true,
    timeout: 15_000,
    // The API never redirects; following one would carry the key to another host.
    disableFollowRedirect: true,
    ignoreHttpStatusErrors: true,
    returnFullResponse: true,
  })) as IN8nHttpFullResponse;
  const body = answer.body as IDataObject | null;
  if (answer.statusCode >= 200 && answer.statusCode < 300 && typeof body === 'object' && body !== null)
    return body;
  const { error, message, details } = (typeof body === 'object' && body ? body : {}) as Record<
    string,
    unknown
  >;
  const isOurs = typeof error === 'string';
  throw new NodeApiError(
    context.getNode(),
    { error: String(error), statusCode: answer.statusCode } as JsonObject,
    {
      message: isOurs ? String(message) : `The answer (HTTP ${answer.statusCode}) is not one of Milaan's`,
      description: isOurs
        ? [error, details].filter(Boolean).join(': ')
        : 'Check the address in the credentials.',
      httpCode: String(answer.statusCode),
      itemIndex,
    },
  );
}
