import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { readJsonBody } from '../../base/http/json-body.ts';
import { limitCallers } from '../../base/http/limit-callers.ts';
import { longestUrl } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { merchantOfAccountToken } from '../../business/accounts/tokens.ts';
import { type Exchange, exchangeCode } from './exchange-code.ts';

/** Where the consent is asked for: a page of the dashboard like any other, with its sign-in and its rights. */
export const consentPath = '/dashboard/connect';

/** One-click connect, docs/connect.md: the way in for the owner's browser, and the exchange for the shop's server. */
export async function connectRoutes(app: App, world: World): Promise<void> {
  app.get('/connect', (request, reply) => {
    const [, ...query] = request.url.split('?');
    const to = [consentPath, ...query].join('?');
    return reply
      .code(303)
      .headers({ location: to, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .send();
  });
  await app.register(async scope => {
    limitCallers(scope, world);
    scope.post('/connect/token', (request, reply) => exchange(world, request, reply));
  });
}

async function exchange(world: World, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  void reply.header('cache-control', 'no-store');
  const read = readExchange(request);
  // The code names its business, and nothing else of the request does.
  const own = world.cells?.of(merchantOfAccountToken(read.code) ?? 0) ?? world;
  const credentials = await own.sql.begin(tx => exchangeCode(tx, own, read));
  if (!credentials) throw new ApiError('invalid_code');
  return credentials;
}

const shapes = {
  code: /^[0-9A-Za-z]{1,200}$/,
  code_verifier: /^[A-Za-z0-9._~-]{43,128}$/,
  return_url: new RegExp(`^[\\x21-\\x7e]{1,${longestUrl}}$`),
};

function readExchange(request: FastifyRequest): Exchange {
  const body = readJsonBody(request);
  if ('problem' in body) throw new ApiError('invalid_request', { fields: { details: body.problem } });
  const field = (name: keyof typeof shapes) => {
    const value = body.object[name];
    if (typeof value === 'string' && shapes[name].test(value)) return value;
    throw new ApiError('invalid_request', { fields: { details: `${name} is missing or not of its shape` } });
  };
  return {
    code: field('code'),
    codeVerifier: field('code_verifier'),
    returnUrl: field('return_url'),
    address: request.ip,
  };
}
