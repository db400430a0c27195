import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { second, stopwatch } from '../clock.ts';
import type { World } from '../world.ts';
import { allowAnyOrigin, answerPreflight, namesTwoHosts } from './any-origin.ts';
import { ApiError } from './api-error.ts';
import { refusalFor } from './refusal-for.ts';

export type App = FastifyInstance;

/** Answers an address that leads nowhere with a page for people; null where none is asked for. */
export type AnswerStray = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/** Limits against slow, large and endless requests. A create body is well below 10 KiB. */
const bodyLimit = 64 * 1024;
const headerLimit = 16 * 1024;
const requestLimit = 10 * second;
const urlParameterLimit = 500;
/** What is still read of a request that is answered already: many clients read no answer before they have sent all. */
const [mostUnread, unreadFor] = [64 * 1024 * 1024, 5 * second];
/** How long a connection may still rest while we close. */
const restLimit = 0.1 * second;

/** The web server without its routes: limits, request ids, the shape of every refusal. */
export function newApp(
  { log, config }: Pick<World, 'log' | 'config'>,
  answerStray: AnswerStray = () => null,
): App {
  const app = fastify({
    loggerInstance: withoutChildren(log),
    // A line per request would cost more than most requests; failures are logged where they happen.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: ({ url = '/' }) => withoutHost(url),
    // The entry of the one proxy, the last of X-Forwarded-For; what stands before it the caller may have written.
    trustProxy: config.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit,
    requestTimeout: requestLimit,
    routerOptions: { maxParamLength: urlParameterLimit },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Without requireHostHeader: false, Node answers a request that names no host by itself, with an empty body.
    http: {
      requireHostHeader: false,
      maxHeaderSize: headerLimit,
      headersTimeout: requestLimit,
      connectionsCheckingInterval: second,
    },
    clientErrorHandler: refuseBrokenRequest,
    // An address that cannot be read meets no hook.
    frameworkErrors: (error, request, reply) => {
      if (!greet(request, reply as FastifyReply)) refuse(error, request, reply as FastifyReply);
    },
  });
  answerWhatNodeWouldNot(app);
  const methods: Methods = listMethods(app);

  // Bodies arrive as bytes; a route parses them after it knows who asks (§7: 401 comes before 400).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    if (!greet(request, reply))
      done(namesTwoHosts(request.raw) ? new ApiError('invalid_request') : undefined);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.raw.complete === false) {
      // With "connection: close" Node hangs up behind the answer, and the client fails to send and reads nothing.
      reply.removeHeader('connection');
      reply.raw.once('finish', () => readOn(request.raw));
    }
    done();
  });
  app.addHook('preClose', done => {
    closeAsTheyRest(app);
    done();
  });
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.at(request.url);
    const page = allowed.length === 0 ? answerStray(request, reply) : null;
    if (page) return page;
    const refusal =
      allowed.length > 0
        ? new ApiError('method_not_allowed', { allow: allowed.join(', ') })
        : new ApiError('not_found');
    refuse(refusal, request, reply);
  });
  return app;
}

/**
 * A request may name the whole address (RFC 9112 §3.2.2). Whoever it names, we are the one who answers, by the path
 * alone: a redirect made of the request's address would lead to a host of the caller's choice.
 */
function withoutHost(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return path === url || path.startsWith('/') ? path : `/${path}`;
}

/** A connection whose answer was under way when we began to close would rest for a minute, and we would wait for it. */
function closeAsTheyRest({ server }: App): void {
  if (!server.listening) return;
  const closing = setInterval(() => server.closeIdleConnections(), restLimit);
  server.once('close', () => clearInterval(closing));
}

/** Node reads and forgets the rest of a request that is answered. Within bounds, or anybody could hold a connection. */
function readOn(request: IncomingMessage): void {
  const { socket } = request;
  const most = socket.bytesRead + mostUnread;
  const since = stopwatch();
  const looking = setInterval(() => {
    if (request.complete || socket.destroyed) clearInterval(looking);
    else if (socket.bytesRead > most || since() > unreadFor) socket.destroy();
  }, restLimit);
}

/** What every answer carries, besides its id. */
export const onEveryAnswer = { 'x-content-type-options': 'nosniff' };

/** True when that is the whole answer. */
function greet(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('x-request-id', request.id);
  reply.headers(onEveryAnswer);
  allowAnyOrigin(request, reply);
  return answerPreflight(request, reply);
}

/** Node itself hangs up on CONNECT, and says 417 without a body to an Expect that it does not know: that one is ignored. */
function answerWhatNodeWouldNot({ server }: App): void {
  server.on('connect', (_request, socket: Socket) => refuseBrokenRequest(new Error('CONNECT'), socket));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** A request needs no logger of its own: the few lines that tell of one name it themselves. */
function withoutChildren(log: World['log']): FastifyBaseLogger {
  const alone: World['log'] = Object.create(log);
  alone.child = () => alone as never;
  return alone as FastifyBaseLogger;
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalFor(error);
  if (refusal.code === 'internal_error')
    request.log.error(
      { reqId: request.id, err: error, url: request.routeOptions?.url },
      'unexpected failure',
    );
  if (refusal.code === 'service_unavailable')
    request.log.warn({ reqId: request.id, err: error }, 'database away');
  void reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
}

/** Answers what never became a request: a slow client, an endless header, garbage on the line. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Sent right behind a whole request, whose answer is still to come: this refusal would be taken for it.
  const underWay = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (underWay?.req.complete && !underWay.writableFinished) {
    underWay.once('finish', () => socket.end());
    return;
  }
  const code =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'request_timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : 'invalid_request';
  const refusal = new ApiError(code);
  const body = JSON.stringify(refusal.body);
  socket.end(
    `HTTP/1.1 ${refusal.status} Refused\r\ncontent-type: application/json; charset=utf-8\r\naccess-control-allow-origin: *\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Which methods a path takes, so that the wrong one is told apart from a path that does not exist. */
type Methods = { at(url: string): string[] };

function listMethods(app: FastifyInstance): Methods {
  const routes: { path: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', route => {
    routes.push({ path: pathPattern(route.url), methods: [route.method].flat() });
  });
  return {
    at(url) {
      const path = url.split('?', 1)[0]!;
      const found = routes.filter(route => route.path.test(path)).flatMap(route => route.methods);
      return [...new Set(found)].sort();
    },
  };
}

function pathPattern(url: string): RegExp {
  const parts = url.split('/').map(part => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
